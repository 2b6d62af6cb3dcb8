/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.util.List;

import io.github.rabbitretry.internal.configuration.RabbitRetryProperties;
import io.github.rabbitretry.internal.connection.ConnectionAborter;
import io.github.rabbitretry.internal.connection.ConnectionWatch;
import io.github.rabbitretry.internal.connection.ConsumerCancellations;
import io.github.rabbitretry.internal.connection.ConsumerConnections;
import io.github.rabbitretry.internal.connection.StopDeadline;
import io.github.rabbitretry.internal.handover.ConfirmedPublishers;
import io.github.rabbitretry.internal.handover.HandoverSettings;
import io.github.rabbitretry.internal.thread.Watchdog;

import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.beans.factory.ObjectProvider;
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
			List<ConnectionFactory> connectionFactories) {
		// the connection factories are injected so that they are closed after the
		// publishers
		RabbitRetryProperties.HandoverProperties handover = properties.handover();
		ConfirmedPublishers publishers = new ConfirmedPublishers(
				new HandoverSettings(handover.maxPending(), handover.confirmTimeout(), properties.shutdownTimeout()),
				stop);
		connectionFactories.forEach(publishers::watch);
		return publishers;
	}

}
