/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.time.Clock;
import java.util.Set;

import io.github.rabbitretry.internal.actuate.EndpointRequests;
import io.github.rabbitretry.internal.actuate.ErrorResponse;
import io.github.rabbitretry.internal.actuate.RetrySimulationEndpoint;
import io.github.rabbitretry.internal.listener.ManagedContainers;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.simulation.PolicySimulator;
import io.github.rabbitretry.internal.simulation.SimulationBounds;

import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/**
 * Auto-configuration of the endpoint that simulates policies, where it is exposed.
 */
@AutoConfiguration(after = RabbitRetryAutoConfiguration.class)
@ConditionalOnClass({ Endpoint.class, ConditionalOnAvailableEndpoint.class })
@ConditionalOnAvailableEndpoint(RetrySimulationEndpoint.class)
@ConditionalOnBean(MessagePolicies.class)
public final class RabbitRetrySimulationAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(name = "rabbitRetrySimulationRequests")
	static EndpointRequests rabbitRetrySimulationRequests() {
		return new EndpointRequests(Set.of(EndpointId.of(RetrySimulationEndpoint.ID)), ErrorResponse::to);
	}

	@Bean
	@ConditionalOnMissingBean
	PolicySimulator rabbitRetryPolicySimulator() {
		return new PolicySimulator(SimulationBounds.SERVICE);
	}

	@Bean
	@ConditionalOnMissingBean
	RetrySimulationEndpoint rabbitRetrySimulationEndpoint(MessagePolicies policies, PolicySimulator simulator,
			ManagedContainers containers, Environment environment) {
		return new RetrySimulationEndpoint(policies, simulator, containers, environment, Clock.systemUTC());
	}

}
