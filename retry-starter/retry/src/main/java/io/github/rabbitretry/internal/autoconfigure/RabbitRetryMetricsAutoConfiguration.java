/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.time.InstantSource;

import io.github.rabbitretry.internal.depth.BrokerDepths;
import io.github.rabbitretry.internal.depth.ParkedDepths;
import io.github.rabbitretry.internal.depth.UnroutableMonitor;
import io.github.rabbitretry.internal.handover.ConfirmedPublishers;
import io.github.rabbitretry.internal.listener.RetryContainerConfigurer;
import io.github.rabbitretry.internal.metrics.DepthMetrics;
import io.github.rabbitretry.internal.metrics.MicrometerDeliveryListener;
import io.github.rabbitretry.internal.metrics.PolicyMetrics;
import io.github.rabbitretry.internal.metrics.QueueMetrics;
import io.github.rabbitretry.internal.multiconnection.PolicyConnections;
import io.github.rabbitretry.internal.outage.Dependencies;
import io.github.rabbitretry.internal.outage.DependencyCircuit;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of Rabbit Retry's metrics, where Micrometer has a registry.
 */
@AutoConfiguration(after = RabbitRetryDepthAutoConfiguration.class, afterName = {
		"org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
		"org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration" })
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean({ MeterRegistry.class, MessagePolicies.class })
public final class RabbitRetryMetricsAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	MicrometerDeliveryListener rabbitRetryMicrometerDeliveryListener(MeterRegistry registry, MessagePolicies policies,
			ConfirmedPublishers publishers) {
		return new MicrometerDeliveryListener(registry,
				policies.all().stream().map(MessagePolicy::messageType).toList(), publishers::pending);
	}

	@Bean
	MeterBinder rabbitRetryAccountingMetrics(MicrometerDeliveryListener listener, ConfirmedPublishers publishers) {
		return listener.accounting(publishers::inFlight);
	}

	@Bean
	PolicyMetrics rabbitRetryPolicyMetrics(MessagePolicies policies, ConfirmedPublishers publishers,
			RetryContainerConfigurer containers) {
		return new PolicyMetrics(policies.all(), publishers::blocked, publishers::waiting, containers::overdueHandlers,
				containers::orderBlocked, containers::orderedLanes);
	}

	@Bean
	MeterBinder rabbitRetryOutageMetrics(Dependencies dependencies) {
		return (registry) -> dependencies.circuits().forEach((circuit) -> {
			Gauge.builder("rabbit.retry.outage", circuit, (one) -> (one.outage() != null) ? 1 : 0)
				.description("Whether the listeners that call a service are paused, since it is down")
				.tag("dependency", circuit.dependency())
				.register(registry);
			FunctionCounter.builder("rabbit.retry.outages", circuit, DependencyCircuit::outages)
				.description("Outages of a service that began")
				.tag("dependency", circuit.dependency())
				.register(registry);
			FunctionCounter.builder("rabbit.retry.outage.probes", circuit, DependencyCircuit::probes)
				.description("Handler calls that were made to see whether a service is up again")
				.tag("dependency", circuit.dependency())
				.register(registry);
		});
	}

	@Bean
	QueueMetrics rabbitRetryQueueMetrics(MeterRegistry registry) {
		return new QueueMetrics(registry);
	}

	/** Once all containers are there, whose connection factories lead to the queues. */
	@Bean
	SmartInitializingSingleton rabbitRetryQueueNames(QueueMetrics metrics, PolicyConnections connections) {
		return () -> metrics.register(connections.groups());
	}

	@Bean
	@ConditionalOnBean(BrokerDepths.class)
	@ConditionalOnMissingBean
	DepthMetrics rabbitRetryDepthMetrics(BrokerDepths depths, ObjectProvider<ParkedDepths> ledger) {
		return new DepthMetrics(depths, ledger.getIfAvailable() == null,
				RabbitRetryDepthAutoConfiguration.DEPTH_INTERVAL, InstantSource.system());
	}

	@Bean
	@ConditionalOnBean(UnroutableMonitor.class)
	MeterBinder rabbitRetryUnroutableMetrics(UnroutableMonitor monitor) {
		return (registry) -> Gauge.builder("rabbit.retry.unroutable.depth", monitor::depth)
			.description("Messages in the last queue of the virtual host, whose queue is not there")
			.register(registry);
	}

}
