/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.metrics;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.github.rabbitretry.internal.depth.BrokerDepths;
import io.github.rabbitretry.internal.depth.ParkedDepth;
import io.github.rabbitretry.internal.depth.ParkingLotDepth;
import io.github.rabbitretry.internal.depth.WaitingRetries;
import io.github.rabbitretry.internal.policy.MessagePolicy;

/**
 * What the broker reports of queues, with the time since they were not seen empty. Of a
 * queue that it does not report, the depth is unknown, and not zero.
 */
public final class WatchedDepths implements Supplier<Map<String, ParkedDepth>> {

	private final Supplier<Map<String, Long>> broker;

	private final Map<String, Duration> most;

	private final Collection<String> names;

	private final InstantSource clock;

	private final Map<String, Instant> since = new HashMap<>();

	WatchedDepths(Supplier<Map<String, Long>> broker, Collection<String> names, Map<String, Duration> most,
			InstantSource clock) {
		this.broker = broker;
		this.names = names;
		this.most = most;
		this.clock = clock;
	}

	/**
	 * What is parked, by message type.
	 * @param broker asks the broker
	 * @param clock what time it is
	 * @return the depths
	 */
	public static WatchedDepths parked(BrokerDepths broker, InstantSource clock) {
		return new WatchedDepths(
				() -> broker.parked()
					.stream()
					.collect(Collectors.toMap(ParkingLotDepth::messageType, ParkingLotDepth::messages, Long::sum)),
				broker.policies().stream().map(MessagePolicy::messageType).toList(), Map.of(), clock);
	}

	/**
	 * What waits for its next attempt, by queue. None waits longer in a queue than the
	 * queue's delay, however long others come.
	 */
	static WatchedDepths waiting(BrokerDepths broker, InstantSource clock) {
		Map<String, Duration> delays = broker.queues()
			.stream()
			.collect(Collectors.toMap(WaitingRetries::queue, WaitingRetries::delay));
		return new WatchedDepths(
				() -> broker.waiting()
					.stream()
					.collect(Collectors.toMap(WaitingRetries::queue, WaitingRetries::messages)),
				delays.keySet(), delays, clock);
	}

	@Override
	public synchronized Map<String, ParkedDepth> get() {
		Map<String, Long> known = this.broker.get();
		Instant now = this.clock.instant();
		this.since.keySet().removeIf((name) -> known.getOrDefault(name, 0L) == 0);
		Map<String, ParkedDepth> depths = new HashMap<>();
		this.names.forEach((name) -> depths.put(name, ParkedDepth.UNKNOWN));
		known.forEach((name, messages) -> depths.put(name,
				(messages > 0) ? new ParkedDepth(messages, oldest(name, now)) : ParkedDepth.NONE));
		return depths;
	}

	private Instant oldest(String name, Instant now) {
		Instant since = this.since.computeIfAbsent(name, (any) -> now);
		Duration most = this.most.get(name);
		return (most != null && since.isBefore(now.minus(most))) ? now.minus(most) : since;
	}

}
