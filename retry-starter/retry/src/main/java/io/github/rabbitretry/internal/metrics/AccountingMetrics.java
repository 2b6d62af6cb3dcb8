/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.metrics;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToLongFunction;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * Shows whether each delivery that was received has one outcome, or is in flight. What is
 * in flight is counted by the acknowledgements, and outcomes by events: a delivery of
 * which one of them knows nothing leaves a gap.
 * <p>
 * Consumers share no lock, so that the numbers change while they are read, and a delivery
 * is for a moment neither in flight nor counted. Such a difference is another one a
 * moment later, and one of a lost delivery stays. So the numbers are read anew for as
 * long as they don't balance, some milliseconds at most, and the least difference counts.
 */
public final class AccountingMetrics implements MeterBinder {

	private static final String MESSAGE_TYPE = "message_type";

	private static final int LOOKS = 20;

	private static final long BETWEEN_LOOKS = TimeUnit.MICROSECONDS.toNanos(200);

	private final Collection<String> messageTypes;

	private final ToLongFunction<String> unaccounted;

	private final ToLongFunction<String> inFlight;

	/**
	 * Creates the metrics.
	 * @param messageTypes all policies' names
	 * @param unaccounted how many deliveries of a message type were received and had no
	 * outcome yet
	 * @param inFlight how many deliveries of a message type are not settled yet
	 */
	public AccountingMetrics(Collection<String> messageTypes, ToLongFunction<String> unaccounted,
			ToLongFunction<String> inFlight) {
		this.messageTypes = List.copyOf(messageTypes);
		this.unaccounted = unaccounted;
		this.inFlight = inFlight;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		for (String type : this.messageTypes) {
			Gauge.builder("rabbit.retry.in.flight", () -> this.inFlight.applyAsLong(type))
				.description("Deliveries that are received and have no outcome yet")
				.tag(MESSAGE_TYPE, type)
				.register(registry);
			Gauge.builder("rabbit.retry.accounting.gap", () -> gap(type))
				.description("received - acked - retried - parked - discarded - returned - in flight")
				.tag(MESSAGE_TYPE, type)
				.register(registry);
		}
	}

	private long gap(String type) {
		long least = look(type);
		for (int looks = 1; looks < LOOKS && least != 0; looks++) {
			LockSupport.parkNanos(BETWEEN_LOOKS);
			long gap = look(type);
			if (Math.abs(gap) < Math.abs(least)) {
				least = gap;
			}
		}
		return least;
	}

	private long look(String type) {
		return this.unaccounted.applyAsLong(type) - this.inFlight.applyAsLong(type);
	}

}
