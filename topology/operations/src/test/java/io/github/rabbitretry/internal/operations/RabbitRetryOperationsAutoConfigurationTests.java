/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.operations;

import io.github.rabbitretry.internal.autoconfigure.StartReport;
import io.github.rabbitretry.internal.broker.BrokerInspector;
import io.github.rabbitretry.internal.doctor.TopologyDoctor;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class RabbitRetryOperationsAutoConfigurationTests {

	private static final String EXPOSED = "management.endpoints.web.exposure.include=";

	private final ApplicationContextRunner application = StartReport.application()
		.withConfiguration(AutoConfigurations.of(RabbitRetryOperationsAutoConfiguration.class))
		.withPropertyValues("rabbit-retry.message-policies.Order.owner=team-orders", EXPOSED + "retrytopology");

	@Test
	void theEndpointIsThereWhereItIsExposed() {
		this.application.run((context) -> assertThat(context).hasSingleBean(RetryTopologyEndpoint.class)
			.hasSingleBean(TopologyDoctor.class));
	}

	@Test
	void itIsNotThereWhereItIsNotExposed() {
		this.application.withPropertyValues(EXPOSED + "health")
			.run((context) -> assertThat(context).doesNotHaveBean(RetryTopologyEndpoint.class));
	}

	@Test
	void itIsNotThereWithoutAccess() {
		this.application.withPropertyValues("management.endpoint.retrytopology.access=NONE")
			.run((context) -> assertThat(context).doesNotHaveBean(RetryTopologyEndpoint.class));
	}

	@Test
	void brokerPoliciesAreChecked(CapturedOutput output) {
		this.application
			.withPropertyValues("rabbit-retry.topology.policies=fail",
					"rabbit-retry.broker.management-url=http://127.0.0.1:1")
			.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.run((context) -> assertThat(context).hasSingleBean(BrokerInspector.class)
				.hasSingleBean(MeterBinder.class));
		assertThat(output).contains("Cannot check broker policies: http://127.0.0.1:1/").doesNotContain("not checked");
	}

	@Test
	void withoutMicrometerTheRestWorks() {
		this.application.withClassLoader(new FilteredClassLoader(MeterBinder.class))
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(BrokerInspector.class));
	}

	@Test
	void withoutTheActuatorTheRestWorks() {
		this.application.withClassLoader(new FilteredClassLoader(Endpoint.class)).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(context).doesNotHaveBean(RetryTopologyEndpoint.class);
		});
	}

}
