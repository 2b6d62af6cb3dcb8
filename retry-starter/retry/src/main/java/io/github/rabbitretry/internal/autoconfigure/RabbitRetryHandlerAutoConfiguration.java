/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.util.Map;

import io.github.rabbitretry.handler.RetryContext;
import io.github.rabbitretry.internal.listener.ContextProvidingRegistry;
import io.github.rabbitretry.internal.topology.InvalidConfigurationException;

import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.NoneNestedConditions;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.env.Environment;

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
		return new RegistryReplacement(ContextProvidingRegistry.class, null);
	}

	@Bean
	static NoPoliciesNotice rabbitRetryNoPoliciesNotice() {
		return new NoPoliciesNotice();
	}

	@Bean
	static BeanFactoryPostProcessor rabbitRetryLatePolicyCheck() {
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

	/**
	 * Fails the start of an application that was processed ahead of time without message
	 * policies and is started with some. Its beans were chosen at build time, so nothing
	 * would be retried.
	 */
	static final class LatePolicyCheck implements BeanFactoryPostProcessor {

		@Override
		public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
			Map<String, Object> policies = OnMessagePolicies.in(beanFactory.getBean(Environment.class));
			if (!policies.isEmpty()) {
				throw new InvalidConfigurationException(OnMessagePolicies.PROPERTY, policies.keySet(),
						"was not there when the application was processed ahead of time, so that nothing would be retried",
						"Run spring-boot:process-aot with the message policies, or start without spring.aot.enabled.");
			}
		}

	}

}
