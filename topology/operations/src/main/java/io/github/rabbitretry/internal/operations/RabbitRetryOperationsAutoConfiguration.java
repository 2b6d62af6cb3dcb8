/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.operations;

import java.time.InstantSource;
import java.util.List;

import io.github.rabbitretry.internal.broker.BrokerAccess;
import io.github.rabbitretry.internal.broker.BrokerPolicySettings;
import io.github.rabbitretry.internal.doctor.TopologyDoctor;
import io.github.rabbitretry.internal.export.ExportOptions;
import io.github.rabbitretry.internal.snapshot.ExpectedTopology;
import io.github.rabbitretry.internal.topology.ApplicationTopology;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.MeterBinder;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Auto-configuration of the topology doctor and the endpoints for operators, for
 * applications that publish their topology.
 */
@AutoConfiguration(afterName = "io.github.rabbitretry.internal.autoconfigure.RabbitRetryAutoConfiguration")
@ConditionalOnBean(ApplicationTopology.class)
public final class RabbitRetryOperationsAutoConfiguration {

	@Bean
	@ConditionalOnBean(BrokerAccess.class)
	@ConditionalOnMissingBean
	TopologyDoctor rabbitRetryTopologyDoctor(ApplicationTopology application, BrokerAccess broker) {
		return new TopologyDoctor(() -> ExpectedTopology.of(application, broker.username()), broker,
				InstantSource.system());
	}

	@Bean
	@ConditionalOnBean(BrokerAccess.class)
	@ConditionalOnMissingBean
	StartupCheck rabbitRetryStartupCheck(TopologyDoctor doctor, ApplicationTopology application) {
		return new StartupCheck(doctor, application.checkedAtStartup());
	}

	@Bean
	@ConditionalOnBean(BrokerPolicySettings.class)
	ManagementInspector rabbitRetryManagementInspector(BrokerPolicySettings settings) {
		return new ManagementInspector(settings);
	}

	/** Where Micrometer is on the class path. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(MeterBinder.class)
	static final class Metrics {

		@Bean
		@ConditionalOnBean(BrokerPolicySettings.class)
		MeterBinder rabbitRetryBrokerPolicyMetrics(ManagementInspector inspector) {
			return (registry) -> Gauge.builder("rabbit.retry.unsafe.policies", inspector::unsafePolicies)
				.description("Keys of broker policies that would lose messages, for each queue; NaN if not known")
				.register(registry);
		}

	}

	/** Where the actuator is on the class path. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ Endpoint.class, ConditionalOnAvailableEndpoint.class })
	static final class Endpoints {

		@Bean
		@ConditionalOnBean(BrokerAccess.class)
		@ConditionalOnAvailableEndpoint
		@ConditionalOnMissingBean
		RetryTopologyEndpoint rabbitRetryTopologyEndpoint(TopologyDoctor doctor) {
			return new RetryTopologyEndpoint(doctor);
		}

		@Bean
		@ConditionalOnAvailableEndpoint
		@ConditionalOnMissingBean
		RetryExportEndpoint rabbitRetryExportEndpoint(ApplicationTopology application,
				ObjectProvider<BrokerAccess> broker) {
			BrokerAccess access = broker.getIfAvailable();
			return new RetryExportEndpoint(application::types,
					new ExportOptions(application.application(), (access != null) ? access.virtualHost() : "/",
							application.ledgerConfigured(), List.of(), List.of()));
		}

	}

}
