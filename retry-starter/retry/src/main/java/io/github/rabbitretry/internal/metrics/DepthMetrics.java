/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.metrics;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;

import io.github.rabbitretry.internal.depth.BrokerDepths;
import io.github.rabbitretry.internal.depth.ParkedDepths;
import io.github.rabbitretry.internal.depth.WaitingRetries;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.jspecify.annotations.Nullable;

/**
 * How many messages wait for their next attempt and, where no ledger counts them, how
 * many are parked. The broker is asked on a thread of its own, never by a scrape.
 */
public final class DepthMetrics implements MeterBinder, AutoCloseable {

	private static final String SHARED = "shared";

	private final Collection<WaitingRetries> queues;

	private final Collection<MessagePolicy> policies;

	private final ParkedDepths waiting;

	private final @Nullable ParkedDepths parked;

	/**
	 * Creates the metrics.
	 * @param broker asks the broker
	 * @param parkingLots whether to include parking lots
	 * @param interval how often to ask at most
	 * @param clock what time it is
	 */
	public DepthMetrics(BrokerDepths broker, boolean parkingLots, Duration interval, InstantSource clock) {
		this.queues = broker.queues();
		this.policies = broker.policies();
		this.waiting = new ParkedDepths(WatchedDepths.waiting(broker, clock), interval, clock);
		this.parked = parkingLots ? new ParkedDepths(WatchedDepths.parked(broker, clock), interval, clock) : null;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		for (WaitingRetries queue : this.queues) {
			String type = (queue.messageType() != null) ? queue.messageType() : SHARED;
			String delay = queue.delay().toString();
			gauges(registry, this.waiting, queue.queue(), "rabbit.retry.waiting",
					"Messages that wait for their next attempt", "message_type", type, "delay", delay);
		}
		if (this.parked != null) {
			for (MessagePolicy policy : this.policies) {
				gauges(registry, this.parked, policy.messageType(), "parking.lot", "Messages in the parking lot",
						"message_type", policy.messageType(), "owner", policy.owner());
			}
		}
	}

	private static void gauges(MeterRegistry registry, ParkedDepths depths, String name, String meter,
			String description, String... tags) {
		Gauge.builder(meter + ".depth", depths, (source) -> source.count(name))
			.description(description)
			.tags(tags)
			.register(registry);
		Gauge.builder(meter + ".oldest.age.seconds", depths, (source) -> source.oldestAgeSeconds(name))
			.description("Time since the queue of these has not been seen empty")
			.tags(tags)
			.register(registry);
	}

	@Override
	public void close() {
		this.waiting.close();
		if (this.parked != null) {
			this.parked.close();
		}
	}

}
