/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.simulation;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.github.rabbitretry.internal.message.DeliveryHistory;
import io.github.rabbitretry.internal.outage.CircuitCall;
import io.github.rabbitretry.topology.Usage;
import org.jspecify.annotations.Nullable;

/**
 * A message and what happens to it next.
 */
final class SimulatedMessage implements Comparable<SimulatedMessage> {

	Step step = Step.RETURNS;

	/** When that happens, in nanoseconds. */
	long due;

	/** Decides between messages that are due together. */
	long sequence;

	int attempt;

	int level;

	/** In milliseconds, as headers say it. */
	long cumulativeDelay;

	@Nullable Instant firstFailureAt;

	/** Whether it waited without an attempt. */
	boolean postponed;

	/** Calls within this delivery. */
	int localCalls;

	Call call = Call.SUCCEEDS;

	@Nullable CircuitCall circuitCall;

	/** Whether it has failed and may fail again. */
	boolean failed() {
		return this.firstFailureAt != null || this.postponed;
	}

	/** What its headers say. It never comes back early. */
	DeliveryHistory history() {
		return new DeliveryHistory(this.attempt, this.firstFailureAt, null, Duration.ofMillis(this.cumulativeDelay),
				this.level, Usage.NONE, null, List.of());
	}

	@Override
	public int compareTo(SimulatedMessage other) {
		int order = Long.compare(this.due, other.due);
		return (order != 0) ? order : Long.compare(this.sequence, other.sequence);
	}

	enum Step {

		/** To the work queue. */
		RETURNS,

		/** The handler is called once more for the same delivery. */
		IS_CALLED_AGAIN,

		/** The handler returns or throws. */
		CALL_ENDS

	}

	enum Call {

		SUCCEEDS, FAILS, TIMES_OUT

	}

}
