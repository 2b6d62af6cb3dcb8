/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.util.List;
import java.util.Objects;

import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.NoneNestedConditions;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches an application with more than one connection factory. Which one leads to a
 * policy's broker is known once its listener's container is.
 */
final class OnSeveralConnectionFactories extends SpringBootCondition implements ConfigurationCondition {

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		ConditionMessage.Builder message = ConditionMessage.forCondition("Connection factories");
		List<String> names = List.of(Objects.requireNonNull(context.getBeanFactory(), "beans are registered")
			.getBeanNamesForType(ConnectionFactory.class, true, false));
		return (names.size() > 1) ? ConditionOutcome.match(message.foundExactly(names))
				: ConditionOutcome.noMatch(message.because("there are not several"));
	}

	@Override
	public ConfigurationPhase getConfigurationPhase() {
		return ConfigurationPhase.REGISTER_BEAN;
	}

	/** Matches all other applications. */
	static final class OrNot extends NoneNestedConditions {

		OrNot() {
			super(ConfigurationPhase.REGISTER_BEAN);
		}

		@Conditional(OnSeveralConnectionFactories.class)
		static class Several {

		}

	}

}
