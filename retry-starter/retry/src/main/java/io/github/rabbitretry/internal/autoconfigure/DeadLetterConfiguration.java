/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.time.InstantSource;
import java.util.Map;

import io.github.rabbitretry.internal.connection.ConsumerCancellations;
import io.github.rabbitretry.internal.connection.ConsumerConnections;
import io.github.rabbitretry.internal.deadletter.DeadLetterConsumer;
import io.github.rabbitretry.internal.deadletter.ParkingLotPublisher;
import io.github.rabbitretry.internal.event.DeliveryListeners;
import io.github.rabbitretry.internal.handover.ConfirmedPublishers;
import io.github.rabbitretry.internal.listener.ManagedContainers;
import io.github.rabbitretry.internal.policy.MessagePolicies;

import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

/**
 * Who consumes dead-letter queues, and what differs where an application has several
 * connection factories.
 */
@Configuration(proxyBeanMethods = false)
class DeadLetterConfiguration {

	@Bean
	@Lazy(false)
	@ConditionalOnMissingBean
	@ConditionalOnBooleanProperty(name = "rabbit-retry.dead-letter-consumer.enabled", matchIfMissing = true)
	@Conditional(OnSeveralConnectionFactories.OrNot.class)
	DeadLetterConsumer rabbitRetryDeadLetterConsumer(MessagePolicies policies, ConnectionFactory connectionFactory,
			ConsumerConnections connections, ConfirmedPublishers publishers, ParkingLotPublisher parkingLot,
			ManagedContainers containers, @Qualifier(RabbitRetryAutoConfiguration.EVENTS) DeliveryListeners events,
			ConsumerCancellations cancellations, RabbitRetryProperties properties) {
		DeadLetterConsumer deadLetterConsumer = new DeadLetterConsumer(policies, connectionFactory, connections,
				publishers, parkingLot, containers::quarantines, events, properties.topology().mode(),
				InstantSource.system());
		cancellations.tell(deadLetterConsumer::brokerCancelled);
		return deadLetterConsumer;
	}

	@Bean
	@ConditionalOnMissingBean
	@Conditional(OnSeveralConnectionFactories.class)
	PolicyConnections rabbitRetryPolicyConnections(MessagePolicies policies, ManagedContainers containers,
			Map<String, ConnectionFactory> connectionFactories, ObjectProvider<ConnectionFactory> primary) {
		return new PolicyConnections(policies, containers, connectionFactories.keySet(), primary.getIfUnique());
	}

	@Bean
	@Conditional(OnSeveralConnectionFactories.class)
	OtherBrokersWarning rabbitRetryOtherBrokersWarning(PolicyConnections connections,
			ObjectProvider<ConnectionFactory> primary) {
		return new OtherBrokersWarning(connections, primary.getIfUnique());
	}

	@Bean
	@ConditionalOnMissingBean
	@Conditional(OnSeveralConnectionFactories.class)
	TopologyPerConnection rabbitRetryTopologyPerConnection(PolicyConnections connections,
			RabbitRetryProperties properties, ListableBeanFactory beans, ConfirmedPublishers publishers) {
		return new TopologyPerConnection(connections, properties, beans, publishers);
	}

	@Bean
	@Lazy(false)
	@ConditionalOnMissingBean
	@ConditionalOnBooleanProperty(name = "rabbit-retry.dead-letter-consumer.enabled", matchIfMissing = true)
	@Conditional(OnSeveralConnectionFactories.class)
	DeadLetterConsumersPerConnection rabbitRetryDeadLetterConsumers(PolicyConnections policyConnections,
			ConsumerConnections connections, ConfirmedPublishers publishers, ParkingLotPublisher parkingLot,
			ManagedContainers containers, @Qualifier(RabbitRetryAutoConfiguration.EVENTS) DeliveryListeners events,
			ConsumerCancellations cancellations, RabbitRetryProperties properties) {
		return new DeadLetterConsumersPerConnection(policyConnections,
				(connectionFactory, policies) -> rabbitRetryDeadLetterConsumer(policies, connectionFactory, connections,
						publishers, parkingLot, containers, events, cancellations, properties));
	}

}
