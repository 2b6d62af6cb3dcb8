/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.util.List;

import io.github.rabbitretry.internal.configuration.RabbitRetryProperties;
import io.github.rabbitretry.internal.connection.BlockedConnections;
import io.github.rabbitretry.internal.connection.ConnectionAborter;
import io.github.rabbitretry.internal.connection.ConsumerCancellations;
import io.github.rabbitretry.internal.connection.ConsumerConnections;
import io.github.rabbitretry.internal.connection.FatalErrors;
import io.github.rabbitretry.internal.connection.StopDeadline;
import io.github.rabbitretry.internal.handover.ConfirmedPublishers;
import io.github.rabbitretry.internal.handover.HandoverSettings;
import io.github.rabbitretry.internal.thread.Watchdog;

import org.springframework.amqp.rabbit.connection.AbstractConnectionFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The connections of consumers, the publishers that copies go through, and how long both
 * may take to stop.
 */
@Configuration(proxyBeanMethods = false)
public final class HandoverConfiguration {

	@Bean(destroyMethod = "close")
	ConsumerConnections rabbitRetryConsumerConnections(ConnectionAborter aborter) {
		return new ConsumerConnections(aborter);
	}

	@Bean(destroyMethod = "close")
	Watchdog rabbitRetryWatchdog() {
		return new Watchdog();
	}

	@Bean
	StopDeadline rabbitRetryStopDeadline(RabbitRetryProperties properties) {
		return new StopDeadline(properties.shutdownTimeout());
	}

	@Bean
	ConnectionAborter rabbitRetryConnectionAborter(StopDeadline deadline) {
		return new ConnectionAborter(deadline);
	}

	@Bean
	ConsumerCancellations rabbitRetryConsumerCancellations() {
		return new ConsumerCancellations();
	}

	@Bean
	static ConnectionWatch rabbitRetryConnectionWatch(ObjectProvider<ConnectionAborter> aborter,
			ObjectProvider<ConsumerCancellations> cancellations) {
		return new ConnectionWatch(aborter, cancellations);
	}

	@Bean(destroyMethod = "close")
	ConfirmedPublishers rabbitRetryConfirmedPublishers(RabbitRetryProperties properties, StopDeadline stop,
			ConsumerConnections consumerConnections, List<ConnectionFactory> connectionFactories) {
		// the connection factories are injected so that they are closed after the
		// publishers
		RabbitRetryProperties.HandoverProperties handover = properties.handover();
		ConfirmedPublishers publishers = new ConfirmedPublishers(
				new HandoverSettings(handover.maxPending(), handover.confirmTimeout(), properties.shutdownTimeout()),
				stop, consumerConnections::reconnect);
		connectionFactories.forEach(publishers::watch);
		return publishers;
	}

	/**
	 * Has the application's connections watched from the first one on.
	 *
	 * @param aborter what closes connections at the end of a stop
	 * @param cancellations what reports cancelled consumers
	 */
	record ConnectionWatch(ObjectProvider<ConnectionAborter> aborter,
			ObjectProvider<ConsumerCancellations> cancellations) implements BeanPostProcessor {

		@Override
		public Object postProcessAfterInitialization(Object bean, String beanName) {
			if (bean instanceof AbstractConnectionFactory factory) {
				FatalErrors.watch(factory);
				BlockedConnections.watch(factory);
				this.aborter.ifAvailable((atStop) -> atStop.watch(factory));
				this.cancellations.ifAvailable((ofConsumers) -> ofConsumers.watch(factory));
			}
			return bean;
		}

	}

}
