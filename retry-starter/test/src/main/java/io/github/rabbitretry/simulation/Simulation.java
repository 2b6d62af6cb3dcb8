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
 * The result of a simulation. Times are counted from the arrival of the first message.
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
 * @param throttled deliveries that came back and continued to wait because the retry
 * ratio was used up
 * @param postponed deliveries that continued to wait without an attempt: those affected
 * by an outage, or that came back outside business hours
 * @param downstreamPeak the highest number of handler calls that began within one second
 * @param waitingPeak the highest number of messages that waited for their next attempt
 * @param readyPeak the highest number of ready messages in the work queue
 * @param lastRetry when the last retry was handled, or {@code null} if none was
 * @param lastParked when the last message was parked, or {@code null} if none was
 * @param end when the last message was settled
 * @param minutes each minute, in order
 * @param notSimulated the parts of the policy's configuration that are not simulated,
 * each a sentence that begins with the key
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
	 * Returns the number of all parked messages.
	 * @return the number, for all reasons
	 */
	public long allParked() {
		return this.parked.values().stream().mapToLong(Long::longValue).sum();
	}

	/**
	 * A maximum.
	 *
	 * @param value the value
	 * @param at when it was first reached
	 */
	public record Peak(long value, Duration at) {
	}

	/**
	 * A minute.
	 *
	 * @param minute its number, 0 for the first
	 * @param arrived messages that arrived in it
	 * @param handlerCalls handler calls that began in it
	 * @param failedCalls those of them that failed
	 * @param retries deliveries that came back and were handled in it
	 * @param callsPerSecond the highest number of handler calls that began within one
	 * second of it
	 * @param ready ready messages in the work queue at its end
	 * @param waiting messages that waited for their next attempt at its end
	 * @param parked all messages parked by its end
	 */
	public record Minute(int minute, long arrived, long handlerCalls, long failedCalls, long retries,
			long callsPerSecond, long ready, long waiting, long parked) {
	}

}
