/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.time.Duration;
import java.util.List;

import io.github.rabbitretry.internal.connection.ConnectionAborter;
import io.github.rabbitretry.internal.connection.ConsumerCancellations;
import io.github.rabbitretry.internal.connection.ConsumerConnections;
import io.github.rabbitretry.internal.connection.FatalErrors;
import io.github.rabbitretry.internal.connection.StopDeadline;
import io.github.rabbitretry.internal.handover.ConfirmedPublishers;
import io.github.rabbitretry.internal.handover.HandoverSettings;
import io.github.rabbitretry.internal.topology.InvalidConfigurationException;

import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The connections of consumers, the publishers that copies go through, and how long both
 * may take to stop.
 */
@Configuration(proxyBeanMethods = false)
class HandoverConfiguration {

	private static final Duration LONGEST_CONFIRM_TIMEOUT = Duration.ofMinutes(10);

	@Bean(destroyMethod = "close")
	@ConditionalOnMissingBean
	ConsumerConnections rabbitRetryConsumerConnections(FatalErrors errors, ConnectionAborter aborter) {
		return new ConsumerConnections(errors, aborter);
	}

	@Bean
	@ConditionalOnMissingBean
	FatalErrors rabbitRetryFatalErrors(RabbitRetryProperties properties) {
		return new FatalErrors(properties.onFatalError());
	}

	@Bean
	@ConditionalOnMissingBean
	StopDeadline rabbitRetryStopDeadline(RabbitRetryProperties properties) {
		positive("shutdown-timeout", properties.shutdownTimeout(), LONGEST_CONFIRM_TIMEOUT);
		return new StopDeadline(properties.shutdownTimeout());
	}

	@Bean
	@ConditionalOnMissingBean
	ConnectionAborter rabbitRetryConnectionAborter(StopDeadline deadline) {
		return new ConnectionAborter(deadline);
	}

	@Bean
	@ConditionalOnMissingBean
	ConsumerCancellations rabbitRetryConsumerCancellations() {
		return new ConsumerCancellations();
	}

	@Bean
	static ConnectionWatch rabbitRetryConnectionWatch(ObjectProvider<FatalErrors> errors,
			ObjectProvider<ConnectionAborter> aborter, ObjectProvider<ConsumerCancellations> cancellations) {
		return new ConnectionWatch(errors, aborter, cancellations);
	}

	@Bean(destroyMethod = "close")
	@ConditionalOnMissingBean
	ConfirmedPublishers rabbitRetryHandoverLanes(RabbitRetryProperties properties, StopDeadline stop,
			List<ConnectionFactory> connectionFactories) {
		// the connection factories are injected so that they are closed after the
		// publishers
		RabbitRetryProperties.HandoverProperties handover = properties.handover();
		if (handover.maxPending() < 1) {
			throw new InvalidConfigurationException("rabbit-retry.handover.max-pending", handover.maxPending(),
					"must be 1 or more", "Use 10000, the default.");
		}
		positive("handover.confirm-timeout", handover.confirmTimeout(), LONGEST_CONFIRM_TIMEOUT);
		ConfirmedPublishers publishers = new ConfirmedPublishers(
				new HandoverSettings(handover.maxPending(), handover.confirmTimeout(), properties.shutdownTimeout()),
				stop);
		connectionFactories.forEach(publishers::watch);
		return publishers;
	}

	private static void positive(String key, Duration value, Duration most) {
		if (value.isNegative() || value.isZero() || value.compareTo(most) > 0) {
			throw new InvalidConfigurationException("rabbit-retry." + key, value,
					"must be positive and at most " + most,
					"The broker takes a delivery back that is held for its consumer timeout, 30 minutes.");
		}
	}

}
