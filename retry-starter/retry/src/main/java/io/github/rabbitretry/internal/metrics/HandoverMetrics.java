/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.metrics;

import java.util.Collection;
import java.util.List;
import java.util.function.ToIntBiFunction;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * Shows what keeps copies from being published.
 */
public final class HandoverMetrics implements MeterBinder {

	private final Collection<String> messageTypes;

	private final List<String> causes;

	private final ToIntBiFunction<String, String> waiting;

	/**
	 * Creates the metrics.
	 * @param messageTypes all policies' names
	 * @param causes what copies may have to wait for, a closed list
	 * @param waiting how many copies of a message type wait for a cause to end
	 */
	public HandoverMetrics(Collection<String> messageTypes, List<String> causes,
			ToIntBiFunction<String, String> waiting) {
		this.messageTypes = List.copyOf(messageTypes);
		this.causes = List.copyOf(causes);
		this.waiting = waiting;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		this.messageTypes.forEach((type) -> this.causes.forEach(
				(cause) -> Gauge.builder("rabbit.retry.handover.waiting", () -> this.waiting.applyAsInt(type, cause))
					.description("Copies that could not be published and wait, by cause")
					.tag("message_type", type)
					.tag("cause", cause)
					.register(registry)));
	}

}
