/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.policy;

import java.time.Duration;
import java.util.Set;

import io.github.rabbitretry.topology.MessageTopology;
import org.jspecify.annotations.Nullable;

/**
 * What one message type is allowed, complete and checked.
 *
 * @param messageType the policy's name
 * @param owner who answers for the message type
 * @param topology its queues
 * @param localAttempts handler calls per delivery, 1 or more
 * @param localDelay the wait between two of them
 * @param brokerAttempts delayed redeliveries after the first delivery, 0 or more
 * @param maxRetryAge the longest time from the first failure to an attempt
 * @param maxCumulativeDelay the longest sum of delays, or {@code null} for no bound
 * @param delays the delays before the broker attempts
 * @param parkOn reasons that park at once
 * @param discardOn reasons that acknowledge without success
 * @param replayPolicy when a parked message may be replayed, in the owner's words
 */
public record MessagePolicy(String messageType, String owner, MessageTopology topology, int localAttempts,
		Duration localDelay, int brokerAttempts, Duration maxRetryAge, @Nullable Duration maxCumulativeDelay,
		DelayPlan delays, Set<String> parkOn, Set<String> discardOn, String replayPolicy) {

	public MessagePolicy {
		parkOn = Set.copyOf(parkOn);
		discardOn = Set.copyOf(discardOn);
	}

	/**
	 * The work queue.
	 * @return its name
	 */
	public String queue() {
		return this.topology.queue();
	}

	/**
	 * The most handler calls that one message can cause.
	 * @return local attempts times deliveries
	 */
	public long worstCaseHandlerCalls() {
		return this.localAttempts * (1L + this.brokerAttempts);
	}

}
