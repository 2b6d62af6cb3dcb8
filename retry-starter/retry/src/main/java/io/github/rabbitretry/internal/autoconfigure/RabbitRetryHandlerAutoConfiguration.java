/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import io.github.rabbitretry.handler.RetryContext;
import io.github.rabbitretry.internal.listener.ContextProvidingRegistry;

import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.NoneNestedConditions;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;

/**
 * Lets listener methods have a {@link RetryContext} argument where there is no message
 * policy at all. Their messages could not be converted otherwise, and Spring AMQP drops
 * such messages.
 */
@AutoConfiguration(after = RabbitRetryAutoConfiguration.class)
@ConditionalOnClass(RabbitTemplate.class)
@Conditional(RabbitRetryHandlerAutoConfiguration.WithoutMessagePolicies.class)
public final class RabbitRetryHandlerAutoConfiguration {

	@Bean
	static RegistryReplacement rabbitRetryContextRegistryReplacement() {
		return new RegistryReplacement(ContextProvidingRegistry.class, false);
	}

	@Bean
	static LatePolicyCheck rabbitRetryLatePolicyCheck() {
		return new LatePolicyCheck();
	}

	/** Matches where {@link RabbitRetryAutoConfiguration} does not. */
	static final class WithoutMessagePolicies extends NoneNestedConditions {

		WithoutMessagePolicies() {
			super(ConfigurationPhase.REGISTER_BEAN);
		}

		@Conditional(OnMessagePolicies.class)
		static class MessagePoliciesFound {

		}

	}

}
