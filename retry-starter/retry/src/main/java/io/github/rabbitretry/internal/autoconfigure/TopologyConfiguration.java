/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.github.rabbitretry.internal.brokerpolicy.BrokerPolicyMonitor;
import io.github.rabbitretry.internal.existingqueue.ExistingQueueCheck;
import io.github.rabbitretry.internal.configuration.OptionalArtifact;
import io.github.rabbitretry.internal.configuration.AdoptedQueue;
import io.github.rabbitretry.internal.configuration.RabbitRetryProperties;
import io.github.rabbitretry.internal.connection.ConsumerConnections;
import io.github.rabbitretry.internal.container.ManagedContainers;
import io.github.rabbitretry.internal.declaration.DeclaredBrokerAccess;
import io.github.rabbitretry.internal.declaration.TopologyInitializer;
import io.github.rabbitretry.internal.declaration.TopologyMode;
import io.github.rabbitretry.internal.depth.ParkedDepths;
import io.github.rabbitretry.internal.multiconnection.OtherBrokersWarning;
import io.github.rabbitretry.internal.multiconnection.PolicyConnections;
import io.github.rabbitretry.internal.multiconnection.TopologyPerConnection;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.topology.ApplicationTopology;
import io.github.rabbitretry.internal.broker.BrokerAccess;
import io.github.rabbitretry.internal.thread.Watchdog;
import io.github.rabbitretry.internal.topology.MessageTopology;
import io.github.rabbitretry.internal.topology.TopologyParts;
import io.github.rabbitretry.internal.topology.TypeTopology;

import org.springframework.amqp.core.Declarables;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/**
 * Declares and verifies the application's topology, and publishes it for
 * rabbit-retry-operations.
 */
@Configuration(proxyBeanMethods = false)
class TopologyConfiguration {

	/** Before anything connects: the application's own queues are declared then. */
	@Bean
	@Conditional(OnSeveralConnectionFactories.OrNot.class)
	SmartInitializingSingleton rabbitRetryTopologyPreparation(TopologyInitializer initializer, MessagePolicies policies,
			Watchdog watchdog) {
		return () -> {
			initializer.prepare(policies);
			watchdog.monitor(initializer::check);
		};
	}

	/**
	 * Before the initializer of the topology, so that nothing is declared if it refuses.
	 */
	@Bean
	@Conditional(OnSeveralConnectionFactories.OrNot.class)
	BrokerPolicyMonitor rabbitRetryBrokerPolicyMonitor(ConnectionFactory connectionFactory, MessagePolicies policies,
			RabbitRetryProperties properties) {
		return new BrokerPolicyMonitor(connectionFactory, policies.all().stream().map(MessagePolicy::topology).toList(),
				properties.brokerPolicies());
	}

	@Bean
	@Conditional(OnSeveralConnectionFactories.OrNot.class)
	TopologyInitializer rabbitRetryTopologyInitializer(ConnectionFactory connectionFactory, MessagePolicies policies,
			RabbitRetryProperties properties, ConfigurableListableBeanFactory beans) {
		List<MessageTopology> topologies = policies.all().stream().map(MessagePolicy::topology).toList();
		return new TopologyInitializer(connectionFactory, TopologyParts.of(topologies), properties.topology().mode(),
				beans);
	}

	/**
	 * After the initializer of the topology, which may have declared what is asked about.
	 */
	@Bean
	@Conditional(OnSeveralConnectionFactories.OrNot.class)
	ExistingQueueCheck rabbitRetryExistingQueueCheck(ConnectionFactory connectionFactory, MessagePolicies policies,
			RabbitRetryProperties properties) {
		return new ExistingQueueCheck(connectionFactory,
				(properties.topology().mode() != TopologyMode.NONE)
						? policies.all().stream().map(MessagePolicy::topology).toList() : List.of(),
				properties.brokerPolicies());
	}

	/** For Spring AMQP's admin, which declares them again after a reconnect. */
	@Bean
	@ConditionalOnProperty(name = "rabbit-retry.topology.mode", havingValue = "declare", matchIfMissing = true)
	@Conditional(OnSeveralConnectionFactories.OrNot.class)
	Declarables rabbitRetryDeclarables(TopologyInitializer initializer) {
		return initializer.declarables();
	}

	@Bean
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
	@Conditional(OnSeveralConnectionFactories.class)
	TopologyPerConnection rabbitRetryTopologyPerConnection(PolicyConnections connections,
			RabbitRetryProperties properties, ConfigurableListableBeanFactory beans, Watchdog watchdog) {
		TopologyPerConnection topology = new TopologyPerConnection(connections, properties, beans);
		watchdog.monitor(topology::check);
		return topology;
	}

	/** With several connection factories, no one broker has the whole topology. */
	@Bean
	ApplicationTopology rabbitRetryApplicationTopology(MessagePolicies policies, RabbitRetryProperties properties,
			Environment environment, ObjectProvider<TopologyInitializer> initializer,
			ObjectProvider<ParkedDepths> ledger) {
		RabbitRetryProperties.TopologyProperties topology = properties.topology();
		boolean consumed = ledger.getIfAvailable() != null;
		List<TypeTopology> types = policies.all().stream().map(MessagePolicy::typeTopology).toList();
		return new ApplicationTopology(environment.getProperty("spring.application.name", "application"), types,
				topology.mode() == TopologyMode.DECLARE,
				topology.startupCheck() && initializer.getIfAvailable() != null,
				properties.deadLetterConsumer().enabled(), consumed, consumed || hasLedger(environment),
				AdoptedQueue.in(environment).stream().map(AdoptedQueue::name).collect(Collectors.toSet()));
	}

	/** Who exports without a database has no ledger, but the service has. */
	private static boolean hasLedger(Environment environment) {
		return OptionalArtifact.PARKING.isPresent() && environment.containsProperty("spring.datasource.url")
				&& environment.getProperty("rabbit-retry.ledger.enabled", Boolean.class, true);
	}

	@Bean
	@ConditionalOnSingleCandidate(ConnectionFactory.class)
	BrokerAccess rabbitRetryBrokerAccess(ConnectionFactory connectionFactory, ConsumerConnections connections,
			RabbitRetryProperties properties) {
		return new DeclaredBrokerAccess(connectionFactory,
				connections.of(connectionFactory, ConsumerConnections.DEAD_LETTERS), properties.broker().management());
	}

}
