/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.time.InstantSource;
import java.util.Set;

import io.github.rabbitretry.internal.actuate.EndpointRequests;
import io.github.rabbitretry.internal.actuate.ErrorResponse;
import io.github.rabbitretry.internal.actuate.RetryTopologyEndpoint;
import io.github.rabbitretry.internal.connection.ConsumerConnections;
import io.github.rabbitretry.internal.declaration.TopologyMode;
import io.github.rabbitretry.internal.doctor.AmqpExamination;
import io.github.rabbitretry.internal.doctor.ExpectedTopology;
import io.github.rabbitretry.internal.doctor.TopologyDoctor;
import io.github.rabbitretry.internal.management.ManagementLocator;
import io.github.rabbitretry.internal.policy.MessagePolicies;

import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of the endpoint that shows the topology and examines it, where it is
 * exposed.
 */
@AutoConfiguration(after = RabbitRetryAutoConfiguration.class)
@ConditionalOnClass({ Endpoint.class, ConditionalOnAvailableEndpoint.class })
@ConditionalOnBean(MessagePolicies.class)
@ConditionalOnSingleCandidate(ConnectionFactory.class)
@ConditionalOnAvailableEndpoint(RetryTopologyEndpoint.class)
public final class RabbitRetryTopologyAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(name = "rabbitRetryTopologyRequests")
	static EndpointRequests rabbitRetryTopologyRequests() {
		return new EndpointRequests(Set.of(EndpointId.of(RetryTopologyEndpoint.ID)), ErrorResponse::to);
	}

	/** With a connection of its own, as one that publishes may be blocked by an alarm. */
	@Bean
	@ConditionalOnMissingBean
	TopologyDoctor rabbitRetryTopologyDoctor(ConnectionFactory connectionFactory, ConsumerConnections connections,
			MessagePolicies policies, RabbitRetryProperties properties) {
		ConnectionFactory own = connections.of(connectionFactory, "depth");
		return new TopologyDoctor(
				new ExpectedTopology(policies, properties.topology().mode() == TopologyMode.DECLARE,
						properties.deadLetterConsumer().enabled(), connectionFactory.getUsername()),
				new ManagementLocator(connectionFactory, BrokerPolicyValidator.of(properties).management()),
				new AmqpExamination(own), InstantSource.system());
	}

	@Bean
	@ConditionalOnMissingBean
	RetryTopologyEndpoint rabbitRetryTopologyEndpoint(TopologyDoctor doctor) {
		return new RetryTopologyEndpoint(doctor);
	}

}
