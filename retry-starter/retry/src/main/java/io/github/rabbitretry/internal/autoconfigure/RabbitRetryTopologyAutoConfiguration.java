/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.util.Set;

import io.github.rabbitretry.internal.actuate.EndpointRequests;
import io.github.rabbitretry.internal.actuate.ErrorResponse;
import io.github.rabbitretry.internal.actuate.RetryTopologyEndpoint;
import io.github.rabbitretry.internal.connection.ConsumerConnections;
import io.github.rabbitretry.internal.depth.ParkedDepths;
import io.github.rabbitretry.internal.doctor.TopologyDoctor;
import io.github.rabbitretry.internal.policy.MessagePolicies;

import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.beans.factory.ObjectProvider;
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

	@Bean
	@ConditionalOnMissingBean
	TopologyDoctor rabbitRetryTopologyDoctor(ConnectionFactory connectionFactory, ConsumerConnections connections,
			MessagePolicies policies, RabbitRetryProperties properties, ObjectProvider<ParkedDepths> ledger) {
		return TopologyDoctors.of(connectionFactory, connections, policies, properties,
				ledger.getIfAvailable() != null);
	}

	@Bean
	@ConditionalOnMissingBean
	RetryTopologyEndpoint rabbitRetryTopologyEndpoint(TopologyDoctor doctor) {
		return new RetryTopologyEndpoint(doctor);
	}

}
