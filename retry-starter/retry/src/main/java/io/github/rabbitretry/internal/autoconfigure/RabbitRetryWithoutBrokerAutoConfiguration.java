/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.util.stream.Stream;

import io.github.rabbitretry.internal.configuration.PolicyAssembler;
import io.github.rabbitretry.internal.configuration.RabbitRetryProperties;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.topology.InvalidConfigurationException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.amqp.core.MessageListenerContainer;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.env.Environment;

/**
 * For applications with message policies and no connection factory, as tests are that
 * exclude Spring Boot's.
 */
@AutoConfiguration(after = RabbitRetryAutoConfiguration.class)
@ConditionalOnClass(RabbitTemplate.class)
@Conditional(OnMessagePolicies.class)
@ConditionalOnMissingBean(MessagePolicies.class)
public final class RabbitRetryWithoutBrokerAutoConfiguration {

	@Bean
	Report rabbitRetryWithoutBrokerReport(ListableBeanFactory beans, Environment environment) {
		// wrong ones fail startup here too
		new PolicyAssembler(RabbitRetryProperties.bind(environment), environment).assemble();
		return new Report(beans);
	}

	/** Before the first container starts, once all are there. */
	static final class Report implements SmartLifecycle {

		private static final Log logger = LogFactory.getLog(Report.class);

		private final ListableBeanFactory beans;

		Report(ListableBeanFactory beans) {
			this.beans = beans;
		}

		@Override
		public void start() {
			boolean listens = Stream
				.concat(this.beans.getBeanProvider(MessageListenerContainer.class).stream(),
						this.beans.getBeanProvider(RabbitListenerEndpointRegistry.class)
							.stream()
							.flatMap((registry) -> registry.getListenerContainers().stream()))
				.findAny()
				.isPresent();
			if (listens) {
				throw new InvalidConfigurationException(OnMessagePolicies.PROPERTY,
						OnMessagePolicies.in(this.beans.getBean(Environment.class)).keySet(),
						"needs a ConnectionFactory bean, and the connection factory of the listener containers is not a bean, so that nothing would be retried",
						"Make their connection factory a bean, or remove the message policies.");
			}
			logger.info("There is no ConnectionFactory bean: the message policies have no effect");
		}

		@Override
		public void stop() {
		}

		@Override
		public boolean isRunning() {
			return false;
		}

		@Override
		public int getPhase() {
			return Integer.MIN_VALUE;
		}

	}

}
