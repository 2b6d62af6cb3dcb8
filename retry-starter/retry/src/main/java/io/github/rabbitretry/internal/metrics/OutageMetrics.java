/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.metrics;

import java.util.Collection;

import io.github.rabbitretry.internal.outage.DependencyCircuit;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * Shows outages of the services that handlers call.
 */
public final class OutageMetrics implements MeterBinder {

	private static final String DEPENDENCY = "dependency";

	private final Collection<DependencyCircuit> circuits;

	/**
	 * Creates the metrics.
	 * @param circuits those of all services
	 */
	public OutageMetrics(Collection<DependencyCircuit> circuits) {
		this.circuits = circuits;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		this.circuits.forEach((circuit) -> {
			Gauge.builder("rabbit.retry.outage", circuit, (one) -> (one.outage() != null) ? 1 : 0)
				.description("Whether the listeners that call a service are paused, since it is down")
				.tag(DEPENDENCY, circuit.dependency())
				.register(registry);
			FunctionCounter.builder("rabbit.retry.outages", circuit, DependencyCircuit::outages)
				.description("Outages of a service that began")
				.tag(DEPENDENCY, circuit.dependency())
				.register(registry);
			FunctionCounter.builder("rabbit.retry.outage.probes", circuit, DependencyCircuit::probes)
				.description("Handler calls that were made to see whether a service is up again")
				.tag(DEPENDENCY, circuit.dependency())
				.register(registry);
		});
	}

}
