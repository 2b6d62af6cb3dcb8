/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.util.Map;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches once there is a message policy: without one, the starter changes nothing.
 */
final class OnMessagePolicies extends SpringBootCondition {

	static final String PROPERTY = "rabbit-retry.message-policies";

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		ConditionMessage.Builder message = ConditionMessage.forCondition("Message policies");
		return in(context.getEnvironment()).isEmpty()
				? ConditionOutcome.noMatch(message.didNotFind("property").items(PROPERTY))
				: ConditionOutcome.match(message.foundExactly(PROPERTY));
	}

	static Map<String, Object> in(Environment environment) {
		try {
			return Binder.get(environment).bind(PROPERTY, Bindable.mapOf(String.class, Object.class)).orElse(Map.of());
		}
		catch (BindException ex) {
			// a value in place of policies, which ConfigurationCheck explains
			return Map.of();
		}
	}

}
