/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.simulation;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

/**
 * What became of simulated messages. Times are counted from the first message's arrival.
 *
 * @param messageType the policy's name
 * @param load what was simulated
 * @param messages how many messages arrived
 * @param succeeded how many of them were handled
 * @param parked how many of them were parked, by the reason of parking
 * @param discarded how many of them were discarded, by reason
 * @param handlerCalls calls of the handler
 * @param failedCalls those of them that failed
 * @param retries deliveries that came back and were handled
 * @param throttled deliveries that came back and waited on, as the ratio of retries was
 * used up
 * @param postponed deliveries that waited on without an attempt: those that an outage
 * caught, or that came back outside of business hours
 * @param downstreamPeak the most handler calls that began within one second
 * @param waitingPeak the most messages that waited for their next attempt
 * @param readyPeak the most messages in the work queue that no consumer had time for
 * @param lastRetry when the last retry was handled, or {@code null} if none was
 * @param lastParked when the last message was parked, or {@code null} if none was
 * @param end when the last message was done with
 * @param minutes each minute, the first one first
 * @param notSimulated what of the policy's configuration the numbers leave out, a
 * sentence each that begins with the key
 */
public record Simulation(String messageType, SimulatedLoad load, long messages, long succeeded,
		SortedMap<String, Long> parked, SortedMap<String, Long> discarded, long handlerCalls, long failedCalls,
		long retries, long throttled, long postponed, Peak downstreamPeak, Peak waitingPeak, Peak readyPeak,
		@Nullable Duration lastRetry, @Nullable Duration lastParked, Duration end, List<Minute> minutes,
		List<String> notSimulated) {

	public Simulation {
		parked = Collections.unmodifiableSortedMap(new TreeMap<>(parked));
		discarded = Collections.unmodifiableSortedMap(new TreeMap<>(discarded));
		minutes = List.copyOf(minutes);
		notSimulated = List.copyOf(notSimulated);
	}

	/**
	 * All parked messages.
	 * @return how many, whatever the reason
	 */
	public long allParked() {
		return this.parked.values().stream().mapToLong(Long::longValue).sum();
	}

	/**
	 * A largest value.
	 *
	 * @param value the value
	 * @param at when it was reached first
	 */
	public record Peak(long value, Duration at) {
	}

	/**
	 * A minute.
	 *
	 * @param minute its number, 0 for the first
	 * @param arrived messages that arrived in it
	 * @param handlerCalls handler calls that began in it
	 * @param failedCalls those of them that fail
	 * @param retries deliveries that came back and were handled in it
	 * @param callsPerSecond the most handler calls that began within one second of it
	 * @param ready messages in the work queue at its end that no consumer had time for
	 * @param waiting messages that waited for their next attempt at its end
	 * @param parked messages that were parked by its end, in all
	 */
	public record Minute(int minute, long arrived, long handlerCalls, long failedCalls, long retries,
			long callsPerSecond, long ready, long waiting, long parked) {
	}

}
