/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.time.InstantSource;

import io.github.rabbitretry.event.DeliveryListener;
import io.github.rabbitretry.internal.configuration.RabbitRetryProperties;
import io.github.rabbitretry.internal.connection.ConsumerCancellations;
import io.github.rabbitretry.internal.connection.ConsumerConnections;
import io.github.rabbitretry.internal.container.ManagedContainers;
import io.github.rabbitretry.internal.deadletter.DeadLetterConsumer;
import io.github.rabbitretry.internal.deadletter.ParkingLotPublisher;
import io.github.rabbitretry.internal.handover.ConfirmedPublishers;
import io.github.rabbitretry.internal.multiconnection.DeadLetterConsumersPerConnection;
import io.github.rabbitretry.internal.multiconnection.PolicyConnections;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.thread.Watchdog;

import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

/**
 * Who consumes dead-letter queues.
 */
@Configuration(proxyBeanMethods = false)
class DeadLetterConfiguration {

	@Bean
	@Lazy(false)
	@ConditionalOnBooleanProperty(name = "rabbit-retry.dead-letter-consumer.enabled", matchIfMissing = true)
	@Conditional(OnSeveralConnectionFactories.OrNot.class)
	DeadLetterConsumer rabbitRetryDeadLetterConsumer(MessagePolicies policies, ConnectionFactory connectionFactory,
			ConsumerConnections connections, ConfirmedPublishers publishers, ParkingLotPublisher parkingLot,
			ManagedContainers containers, @Qualifier(RabbitRetryAutoConfiguration.EVENTS) DeliveryListener events,
			ConsumerCancellations cancellations, RabbitRetryProperties properties, Watchdog watchdog) {
		DeadLetterConsumer deadLetterConsumer = new DeadLetterConsumer(policies, connectionFactory, connections,
				publishers, parkingLot, containers::quarantines, events, properties.topology().mode(), watchdog,
				InstantSource.system());
		cancellations.register(deadLetterConsumer::brokerCancelled);
		return deadLetterConsumer;
	}

	@Bean
	@Lazy(false)
	@ConditionalOnBooleanProperty(name = "rabbit-retry.dead-letter-consumer.enabled", matchIfMissing = true)
	@Conditional(OnSeveralConnectionFactories.class)
	DeadLetterConsumersPerConnection rabbitRetryDeadLetterConsumers(PolicyConnections policyConnections,
			ConsumerConnections connections, ConfirmedPublishers publishers, ParkingLotPublisher parkingLot,
			ManagedContainers containers, @Qualifier(RabbitRetryAutoConfiguration.EVENTS) DeliveryListener events,
			ConsumerCancellations cancellations, RabbitRetryProperties properties, Watchdog watchdog) {
		return new DeadLetterConsumersPerConnection(policyConnections,
				(connectionFactory, policies) -> rabbitRetryDeadLetterConsumer(policies, connectionFactory, connections,
						publishers, parkingLot, containers, events, cancellations, properties, watchdog));
	}

}
