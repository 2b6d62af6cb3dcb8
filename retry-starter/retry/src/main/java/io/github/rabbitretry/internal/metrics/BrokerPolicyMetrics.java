/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.metrics;

import java.util.function.DoubleSupplier;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * Shows unsafe broker policies.
 */
public final class BrokerPolicyMetrics {

	/**
	 * Registers the gauge.
	 * @param registry where meters go
	 * @param unsafe how many there are, or {@link Double#NaN} if that is not known
	 */
	public BrokerPolicyMetrics(MeterRegistry registry, DoubleSupplier unsafe) {
		Gauge.builder("rabbit.retry.unsafe.policies", unsafe::getAsDouble)
			.description("Keys of broker policies that would lose messages, for each queue; NaN if not known")
			.register(registry);
	}

}
