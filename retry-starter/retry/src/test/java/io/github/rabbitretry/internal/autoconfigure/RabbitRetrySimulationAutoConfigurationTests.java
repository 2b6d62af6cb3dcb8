/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import io.github.rabbitretry.internal.actuate.RetrySimulationEndpoint;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.simulation.PolicySimulator;
import io.github.rabbitretry.internal.simulation.SimulationBounds;
import org.junit.jupiter.api.Test;

import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

class RabbitRetrySimulationAutoConfigurationTests {

	private final ApplicationContextRunner application = StartReport.application()
		.withConfiguration(AutoConfigurations.of(RabbitRetrySimulationAutoConfiguration.class))
		.withPropertyValues("rabbit-retry.message-policies.Order.owner=team-orders");

	private final ApplicationContextRunner exposed = this.application
		.withPropertyValues("management.endpoints.web.exposure.include=retrysimulation");

	@Test
	void theEndpointIsThereWhereItIsExposed() {
		this.exposed.run((context) -> assertThat(context).hasSingleBean(RetrySimulationEndpoint.class)
			.hasSingleBean(PolicySimulator.class));
	}

	@Test
	void nothingOfItIsThereWhereItIsNotExposed() {
		this.application.run((context) -> assertThat(context).doesNotHaveBean(RetrySimulationEndpoint.class)
			.doesNotHaveBean(PolicySimulator.class)
			.doesNotHaveBean("rabbitRetrySimulationRequests")
			.hasSingleBean(MessagePolicies.class));
	}

	@Test
	void anApplicationsOwnSimulatorIsKept() {
		PolicySimulator own = new PolicySimulator(SimulationBounds.OWN_PROCESS);
		this.exposed.withBean(PolicySimulator.class, () -> own)
			.run((context) -> assertThat(context.getBean(PolicySimulator.class)).isSameAs(own));
	}

	@Test
	void withoutTheActuatorTheRestWorks() {
		this.exposed.withClassLoader(new FilteredClassLoader(Endpoint.class))
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean("rabbitRetrySimulationEndpoint")
				.hasSingleBean(MessagePolicies.class));
	}

}
