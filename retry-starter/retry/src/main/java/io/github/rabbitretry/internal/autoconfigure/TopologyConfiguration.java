/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

import io.github.rabbitretry.internal.broker.BrokerAccess;
import io.github.rabbitretry.internal.broker.BrokerInspector;
import io.github.rabbitretry.internal.broker.BrokerPolicyMode;
import io.github.rabbitretry.internal.broker.BrokerPolicySettings;
import io.github.rabbitretry.internal.configuration.AdoptedQueue;
import io.github.rabbitretry.internal.configuration.OptionalArtifact;
import io.github.rabbitretry.internal.configuration.RabbitRetryProperties;
import io.github.rabbitretry.internal.connection.ConsumerConnections;
import io.github.rabbitretry.internal.container.ManagedContainers;
import io.github.rabbitretry.internal.declaration.DeclaredBrokerAccess;
import io.github.rabbitretry.internal.declaration.TopologyMode;
import io.github.rabbitretry.internal.depth.ParkedDepths;
import io.github.rabbitretry.internal.multiconnection.PolicyConnections;
import io.github.rabbitretry.internal.multiconnection.TopologyPerConnection;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.thread.Watchdog;
import io.github.rabbitretry.internal.topology.ApplicationTopology;
import io.github.rabbitretry.internal.topology.InvalidConfigurationException;
import io.github.rabbitretry.internal.topology.TypeTopology;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/**
 * Declares and verifies the application's topology, and publishes it for
 * rabbit-retry-operations.
 */
@Configuration(proxyBeanMethods = false)
class TopologyConfiguration {

	private static final Log logger = LogFactory.getLog(TopologyConfiguration.class);

	private static final String POLICIES = "rabbit-retry.topology.policies";

	@Bean
	BrokerPolicySettings rabbitRetryBrokerPolicySettings(RabbitRetryProperties properties) {
		RabbitRetryProperties.TopologyProperties topology = properties.topology();
		return new BrokerPolicySettings(topology.policies(), topology.policiesInterval(),
				topology.mode() != TopologyMode.NONE);
	}

	@Bean
	PolicyConnections rabbitRetryPolicyConnections(MessagePolicies policies, ManagedContainers containers,
			Map<String, ConnectionFactory> connectionFactories, ObjectProvider<ConnectionFactory> primary) {
		return new PolicyConnections(policies, containers, connectionFactories.keySet(), primary.getIfUnique());
	}

	@Bean
	TopologyPerConnection rabbitRetryTopologyPerConnection(PolicyConnections connections,
			RabbitRetryProperties properties, ObjectProvider<BrokerInspector> inspector,
			ConfigurableListableBeanFactory beans, Watchdog watchdog) {
		TopologyPerConnection topology = new TopologyPerConnection(connections, properties,
				inspector.getIfAvailable(() -> notInspected(properties, beans.getBean(Environment.class))), beans);
		watchdog.monitor(topology::check);
		return topology;
	}

	/** A check that was asked for must not be missing unnoticed. */
	private static BrokerInspector notInspected(RabbitRetryProperties properties, Environment environment) {
		BrokerPolicyMode mode = properties.topology().policies();
		if (mode != BrokerPolicyMode.IGNORE && Binder.get(environment).bind(POLICIES, String.class).isBound()) {
			throw new InvalidConfigurationException(POLICIES, mode.name().toLowerCase(Locale.ROOT),
					"needs rabbit-retry-operations, which is not on the class path",
					"Add the dependency io.github.rabbitretry:rabbit-retry-operations, or set the key to ignore.");
		}
		String missing = "Broker policies, and where existing queues send dead letters, are not checked without"
				+ " rabbit-retry-operations";
		if (mode == BrokerPolicyMode.IGNORE) {
			logger.info(missing);
		}
		else {
			logger.warn(missing + ". Add it, or set " + POLICIES + " to ignore.");
		}
		return (broker, topologies) -> {
		};
	}

	/** With several connection factories, no one broker has the whole topology. */
	@Bean
	ApplicationTopology rabbitRetryApplicationTopology(MessagePolicies policies, RabbitRetryProperties properties,
			Environment environment, PolicyConnections connections, ObjectProvider<ParkedDepths> ledger) {
		RabbitRetryProperties.TopologyProperties topology = properties.topology();
		boolean consumed = ledger.getIfAvailable() != null;
		List<TypeTopology> types = policies.all().stream().map(MessagePolicy::typeTopology).toList();
		return new ApplicationTopology(environment.getProperty("spring.application.name", "application"), types,
				topology.mode() == TopologyMode.DECLARE, topology.startupCheck() && !connections.several(),
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
