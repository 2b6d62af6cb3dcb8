/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.console.application;

import java.time.Clock;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;

import javax.sql.DataSource;

import io.github.rabbitretry.explain.RetryExplainer;
import io.github.rabbitretry.internal.actuate.RabbitRetryHealthIndicator;
import io.github.rabbitretry.internal.autoconfigure.HandoverConfiguration;
import io.github.rabbitretry.internal.broker.BrokerAccess;
import io.github.rabbitretry.internal.classify.ClassificationChain;
import io.github.rabbitretry.internal.configuration.ChainAssembler;
import io.github.rabbitretry.internal.configuration.RabbitRetryProperties;
import io.github.rabbitretry.internal.connection.ConsumerConnections;
import io.github.rabbitretry.internal.container.ManagedContainers;
import io.github.rabbitretry.internal.declaration.DeclaredBrokerAccess;
import io.github.rabbitretry.internal.doctor.TopologyDoctor;
import io.github.rabbitretry.internal.explain.DefaultRetryExplainer;
import io.github.rabbitretry.internal.health.HealthSource;
import io.github.rabbitretry.internal.message.ConsumerIdentity;
import io.github.rabbitretry.internal.parking.ledger.LedgerSchema;
import io.github.rabbitretry.internal.parking.ledger.SchemaInitialization;
import io.github.rabbitretry.internal.parking.registry.RegisteredPolicies;
import io.github.rabbitretry.internal.parking.registry.ServiceRegistry;
import io.github.rabbitretry.internal.parking.replay.DryRunReader;
import io.github.rabbitretry.internal.parking.replay.ReplayStores;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.snapshot.ExpectedTopology;
import io.github.rabbitretry.internal.topology.ApplicationTopology;
import io.github.rabbitretry.internal.topology.InvalidConfigurationException;

import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.core.io.ResourceLoader;
import org.springframework.dao.DataAccessException;

/**
 * In place of what a service makes of its own policies, what services have registered.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(RabbitRetryProperties.class)
@Import(HandoverConfiguration.class)
class ServicesConfiguration {

	@Bean
	static FixedSettings fixedSettings(Environment environment) {
		return new FixedSettings(environment);
	}

	@Bean
	ConsumerIdentity consumerIdentity(@Value("${spring.application.name}") String application,
			ConnectionFactory connectionFactory) {
		// that of another virtual host, with the same ledger, may not take this one's
		// replays
		String host = connectionFactory.getVirtualHost();
		return new ConsumerIdentity(host.equals("/") ? application : "%s@%s".formatted(application, host), application);
	}

	@Bean
	LedgerSchema ledgerSchema(DataSource dataSource) {
		LedgerSchema schema = new LedgerSchema(dataSource, SchemaInitialization.NEVER);
		try {
			schema.prepare();
		}
		catch (InvalidConfigurationException ex) {
			throw new InvalidConfigurationException(ex.property(), ex.value(), ex.relation(),
					"First start a service with this database and rabbit-retry.ledger.initialize-schema: always,"
							+ " which creates the tables, or apply its script.");
		}
		return schema;
	}

	/** With the policies, or replays that wait would be worked on without any. */
	@Bean
	RegisteredPolicies registeredPolicies(ServiceRegistry registry, ConsumerIdentity identity,
			ConnectionFactory connectionFactory) {
		RegisteredPolicies registered = new RegisteredPolicies(registry, connectionFactory.getVirtualHost());
		try {
			registered.refresh();
		}
		catch (DataAccessException ex) {
			throw new InvalidConfigurationException("spring.datasource.url", "(not shown)",
					"leads to a ledger that can't be read: " + ex.getMessage(),
					"Correct spring.datasource.*, or start again once the database can be reached.");
		}
		if (registered.services()
			.stream()
			.map(RegisteredPolicies.Service::application)
			.anyMatch(identity.consumer()::equals)) {
			throw new InvalidConfigurationException("spring.application.name", identity.consumer(),
					"is the name of a service that shares the ledger: each would work on the replays of the other",
					"Leave it out, or use another name.");
		}
		return registered;
	}

	@Bean
	MessagePolicies messagePolicies(RegisteredPolicies registered) {
		return registered.policies();
	}

	@Bean
	ClassificationChain classificationChain(RabbitRetryProperties properties, MessagePolicies policies,
			ResourceLoader resources) {
		return new ChainAssembler(properties.classification(), policies, resources.getClassLoader()).assemble(List.of(),
				Clock.systemUTC());
	}

	@Bean
	RetryExplainer retryExplainer(MessagePolicies policies, ClassificationChain classification) {
		return new DefaultRetryExplainer(policies, classification, InstantSource.system());
	}

	@Bean
	ManagedContainers managedContainers() {
		return new ManagedContainers();
	}

	@Bean
	DryRunReader dryRunReader(ReplayStores stores, RegisteredPolicies registered, ConnectionFactory connectionFactory,
			ConsumerConnections connections) {
		return new DryRunReader(stores, registered.policies(), (policy) -> true,
				(version) -> registered.services()
					.stream()
					.anyMatch((service) -> service.handlerVersion().equals(version)),
				connections.of(connectionFactory, ConsumerConnections.DEAD_LETTERS));
	}

	@Bean
	ApplicationTopology applicationTopology(ConsumerIdentity identity, RegisteredPolicies registered) {
		return new ApplicationTopology(identity.consumer(), registered::topologies, true, false, true, true, true,
				Set.of());
	}

	@Bean
	BrokerAccess brokerAccess(ConnectionFactory connectionFactory, ConsumerConnections connections,
			RabbitRetryProperties properties) {
		return new DeclaredBrokerAccess(connectionFactory,
				connections.of(connectionFactory, ConsumerConnections.DEAD_LETTERS), properties.broker().management());
	}

	@Bean
	TopologyDoctor topologyDoctor(ApplicationTopology topology, BrokerAccess broker) {
		return new TopologyDoctor(() -> ExpectedTopology.ofServices(topology), broker, InstantSource.system());
	}

	@Bean
	RabbitRetryHealthIndicator rabbitRetryHealthIndicator(ObjectProvider<HealthSource> sources) {
		return new RabbitRetryHealthIndicator(sources.orderedStream().toList());
	}

}
