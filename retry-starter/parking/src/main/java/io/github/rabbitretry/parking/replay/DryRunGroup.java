/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.parking.replay;

import java.time.Instant;
import java.util.List;

import io.github.rabbitretry.parking.message.FailureCause;
import org.jspecify.annotations.Nullable;

/**
 * Messages whose failures look alike, and what the current rules would say of that
 * failure.
 *
 * @param cause what they have in common
 * @param count how many
 * @param budgetExhausted how many of these were retried until a budget was used up
 * @param firstParkedAt when the first was parked
 * @param lastParkedAt when the last was parked
 * @param queue the work queue
 * @param messageType the message type
 * @param owner who answers for it
 * @param reason why they failed last
 * @param failureClass the failure class
 * @param fingerprint equal for failures that look alike
 * @param handlerVersions the code it happened in
 * @param replayPolicy when the owner allows replaying, in the owner's words
 * @param ifItFailsAlike what the current rules do if it fails in the same way
 * @param findings what speaks against replaying it now
 * @param samples what the running code makes of some of them, or {@code null} if none of
 * them was converted here
 */
public record DryRunGroup(FailureCause cause, long count, long budgetExhausted, Instant firstParkedAt,
		Instant lastParkedAt, String queue, String messageType, String owner, String reason, String failureClass,
		String fingerprint, List<String> handlerVersions, String replayPolicy, Verdict ifItFailsAlike,
		List<Finding> findings, @Nullable DryRunSamples samples) {

	public DryRunGroup {
		handlerVersions = List.copyOf(handlerVersions);
		findings = List.copyOf(findings);
	}

	/**
	 * What the current rules do with a failure of this reason and class.
	 */
	public enum Verdict {

		/** It is parked again at once. */
		PARK,

		/** It is acknowledged and gone. */
		DISCARD,

		/** It is tried again, with a whole budget, and then parked. */
		RETRY,

		/**
		 * Nobody knows: the reason tells of the budget or of the broker and not of the
		 * failure, or nothing in this instance handles messages of that queue.
		 */
		UNKNOWN

	}

	/**
	 * What speaks against replaying now.
	 */
	public enum Finding {

		/** This instance has no listener for the queue; another one may have. */
		NO_LISTENER_HERE,

		/** This code is of the version that failed. */
		HANDLER_UNCHANGED,

		/** The schema was not supported, and the code that said so still runs here. */
		SCHEMA_NOT_SUPPORTED,

		/** The code that runs here can't convert some of the sampled messages. */
		NOT_CONVERTIBLE

	}

}
