/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.util.Map;

import io.github.rabbitretry.internal.configuration.ConfigurationCheck;
import io.github.rabbitretry.internal.configuration.RabbitRetryProperties;
import io.github.rabbitretry.internal.configuration.StrictBindHandler;

import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.ConfigurationPropertiesBindHandlerAdvisor;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Binds what is configured for Rabbit Retry even where no message policy is found: if
 * {@code message-policies} itself is misspelt, nothing would be retried, without a word.
 */
@AutoConfiguration
@ConditionalOnClass(RabbitTemplate.class)
@Conditional(RabbitRetryPropertiesAutoConfiguration.OnAnyProperty.class)
@EnableConfigurationProperties(RabbitRetryProperties.class)
public final class RabbitRetryPropertiesAutoConfiguration {

	@Bean
	static ConfigurationCheck rabbitRetryConfigurationCheck(ConfigurableEnvironment environment) {
		return new ConfigurationCheck(environment);
	}

	@Bean
	static ConfigurationPropertiesBindHandlerAdvisor rabbitRetryBindHandlerAdvisor(Environment environment) {
		return (handler) -> new StrictBindHandler(handler, environment);
	}

	@Bean
	static LazyInitializationExcludeFilter rabbitRetryEagerProperties() {
		return LazyInitializationExcludeFilter.forBeanTypes(RabbitRetryProperties.class);
	}

	/** Matches once anything below the prefix is set. */
	static final class OnAnyProperty extends SpringBootCondition {

		private static final String PREFIX = "rabbit-retry";

		@Override
		public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
			ConditionMessage.Builder message = ConditionMessage.forCondition("Rabbit Retry properties");
			boolean none = Binder.get(context.getEnvironment())
				.bind(PREFIX, Bindable.mapOf(String.class, Object.class))
				.orElse(Map.of())
				.isEmpty();
			return none ? ConditionOutcome.noMatch(message.didNotFind("property").items(PREFIX))
					: ConditionOutcome.match(message.foundExactly(PREFIX));
		}

	}

}
