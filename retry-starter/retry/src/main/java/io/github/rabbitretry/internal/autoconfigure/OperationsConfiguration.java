/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.util.List;

import io.github.rabbitretry.internal.configuration.Sections;
import io.github.rabbitretry.internal.connection.ConsumerConnections;
import io.github.rabbitretry.internal.declaration.DeclaredBrokerAccess;
import io.github.rabbitretry.internal.declaration.TopologyGuard;
import io.github.rabbitretry.internal.declaration.TopologyMode;
import io.github.rabbitretry.internal.depth.ParkedDepths;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.topology.ApplicationTopology;
import io.github.rabbitretry.internal.topology.BrokerAccess;
import io.github.rabbitretry.internal.topology.TypeTopology;

import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/**
 * Publishes the application's topology for rabbit-retry-operations.
 */
@Configuration(proxyBeanMethods = false)
class OperationsConfiguration {

	/** With several connection factories, no one broker has the whole topology. */
	@Bean
	@ConditionalOnMissingBean
	ApplicationTopology rabbitRetryApplicationTopology(MessagePolicies policies, RabbitRetryProperties properties,
			Environment environment, ObjectProvider<TopologyGuard> guard, ObjectProvider<ParkedDepths> ledger) {
		RabbitRetryProperties.TopologyProperties topology = properties.topology();
		boolean consumed = ledger.getIfAvailable() != null;
		List<TypeTopology> types = policies.all().stream().map(OperationsConfiguration::type).toList();
		return new ApplicationTopology(environment.getProperty("spring.application.name", "application"), types,
				topology.mode() == TopologyMode.DECLARE,
				topology.startupCheck() && topology.mode() != TopologyMode.NONE && guard.getIfAvailable() != null,
				properties.deadLetterConsumer().enabled(), consumed, consumed || hasLedger(environment));
	}

	private static TypeTopology type(MessagePolicy policy) {
		return new TypeTopology(policy.messageType(), policy.owner(), policy.topology(), policy.quarantined(),
				(policy.rejection() != null) ? policy.rejection().exchange() : null);
	}

	/** Who exports without a database has no ledger, but the service has. */
	private static boolean hasLedger(Environment environment) {
		return Sections.present("ledger") && environment.containsProperty("spring.datasource.url")
				&& environment.getProperty("rabbit-retry.ledger.enabled", Boolean.class, true);
	}

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnSingleCandidate(ConnectionFactory.class)
	BrokerAccess rabbitRetryBrokerAccess(ConnectionFactory connectionFactory, ConsumerConnections connections,
			RabbitRetryProperties properties) {
		return new DeclaredBrokerAccess(connectionFactory,
				connections.of(connectionFactory, ConsumerConnections.DEAD_LETTERS),
				BrokerPolicyValidator.of(properties).management());
	}

}
