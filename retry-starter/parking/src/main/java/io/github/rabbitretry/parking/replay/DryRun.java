/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.parking.replay;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.github.rabbitretry.parking.message.FailureCause;
import org.jspecify.annotations.Nullable;

/**
 * What a replay would do, as far as this can be determined without calling handlers.
 *
 * @param matching parked messages that match, except those that another replay has
 * selected
 * @param replayable those of them that can be replayed: their body is stored whole, and
 * this application has a policy for their queue
 * @param wouldReplay how many would be replayed, given the maximum
 * @param payloadMissing those whose body is masked or omitted
 * @param queueUnknown those whose queue has no policy in this application
 * @param groups the replayable ones by fingerprint, the largest {@value #MOST_GROUPS}
 * groups first
 * @param ages the replayable ones by the time since they were parked
 * @param cautions warnings to consider before replaying, in sentences
 * @param preview a preview of the replayable ones: samples, owners, the token, and
 * messages that other replays have selected
 */
public record DryRun(long matching, long replayable, long wouldReplay, long payloadMissing, long queueUnknown,
		List<Group> groups, List<AgeBucket> ages, List<String> cautions, Preview preview) {

	/** The maximum number of groups. */
	public static final int MOST_GROUPS = 100;

	public DryRun {
		groups = List.copyOf(groups);
		ages = List.copyOf(ages);
		cautions = List.copyOf(cautions);
	}

	/**
	 * Messages by the time since they were parked.
	 *
	 * @param upTo the upper limit of the time since they were parked, excluding previous
	 * buckets, or {@code null} for no limit
	 * @param count how many
	 */
	public record AgeBucket(@Nullable Duration upTo, long count) {
	}

	/**
	 * Messages with similar failures, and what the current rules would decide about that
	 * failure.
	 *
	 * @param cause the common cause
	 * @param count how many
	 * @param budgetExhausted how many of these were retried until a budget was used up
	 * @param firstParkedAt when the first was parked
	 * @param lastParkedAt when the last was parked
	 * @param queue the work queue
	 * @param messageType the message type
	 * @param owner the owner of the message type
	 * @param reason why they failed last
	 * @param failureClass the failure class
	 * @param fingerprint equal for similar failures
	 * @param handlerVersions the handler versions in which it happened
	 * @param replayPolicy when the owner allows replaying, in the owner's words
	 * @param onSameFailure what the current rules do if the message fails in the same way
	 * @param findings reasons against replaying now
	 */
	public record Group(FailureCause cause, long count, long budgetExhausted, Instant firstParkedAt,
			Instant lastParkedAt, String queue, String messageType, String owner, String reason, String failureClass,
			String fingerprint, List<String> handlerVersions, String replayPolicy, Verdict onSameFailure,
			List<Finding> findings) {

		public Group {
			handlerVersions = List.copyOf(handlerVersions);
			findings = List.copyOf(findings);
		}

		/**
		 * What the current rules do with a failure of this reason and class.
		 */
		public enum Verdict {

			/** It is parked again immediately. */
			PARK,

			/** It is acknowledged and not kept. */
			DISCARD,

			/** It is retried with a full budget, and then parked. */
			RETRY,

			/**
			 * Unknown: the reason denotes a budget or the broker rather than the failure,
			 * or this instance does not handle messages of that queue.
			 */
			UNKNOWN

		}

		/**
		 * A reason against replaying now.
		 */
		public enum Finding {

			/**
			 * This instance has no listener for the queue; another instance may have one.
			 */
			NO_LISTENER_HERE,

			/** The running version is the one that failed. */
			HANDLER_UNCHANGED,

			/**
			 * The schema was not supported, and the same version is still running.
			 */
			SCHEMA_NOT_SUPPORTED

		}

	}

}
