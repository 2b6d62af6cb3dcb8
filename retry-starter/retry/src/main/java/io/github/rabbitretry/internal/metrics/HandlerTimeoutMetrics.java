/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.metrics;

import java.util.Collection;
import java.util.List;
import java.util.function.ToIntFunction;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * Shows handlers that ignore the interrupt after their timeout.
 */
public final class HandlerTimeoutMetrics implements MeterBinder {

	private final Collection<String> messageTypes;

	private final ToIntFunction<String> overdue;

	/**
	 * Creates the metrics.
	 * @param messageTypes the policies with a timeout, by name
	 * @param overdue how many calls of a message type's handler go on after their timeout
	 */
	public HandlerTimeoutMetrics(Collection<String> messageTypes, ToIntFunction<String> overdue) {
		this.messageTypes = List.copyOf(messageTypes);
		this.overdue = overdue;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		this.messageTypes
			.forEach((type) -> Gauge.builder("rabbit.retry.handlers.overdue", () -> this.overdue.applyAsInt(type))
				.description("Calls of a handler that go on although they were interrupted after its timeout")
				.tag("message_type", type)
				.register(registry));
	}

}
