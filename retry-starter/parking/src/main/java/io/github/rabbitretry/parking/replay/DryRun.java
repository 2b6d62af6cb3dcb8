/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.parking.replay;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.github.rabbitretry.parking.message.FailureCause;
import org.jspecify.annotations.Nullable;

/**
 * What a replay would do, as far as it can be known: handlers are not called.
 *
 * @param matching parked messages that match, but for those that another replay has
 * selected
 * @param replayable those of them that can be replayed: their body is stored whole, and
 * this application has a policy for their queue
 * @param wouldReplay how many would be replayed, the maximum being set
 * @param payloadMissing those whose body is masked or left out
 * @param queueUnknown those whose queue has no policy in this application
 * @param groups the replayable ones by fingerprint, the largest {@value #MOST_GROUPS}
 * groups first
 * @param ages the replayable ones by the time since they were parked
 * @param cautions what to know before, in sentences
 * @param preview the replayable ones: samples, owners, the token, and what other replays
 * have selected
 */
public record DryRun(long matching, long replayable, long wouldReplay, long payloadMissing, long queueUnknown,
		List<Group> groups, List<AgeBucket> ages, List<String> cautions, Preview preview) {

	/** The most groups. */
	public static final int MOST_GROUPS = 100;

	public DryRun {
		groups = List.copyOf(groups);
		ages = List.copyOf(ages);
		cautions = List.copyOf(cautions);
	}

	/**
	 * Messages by the time since they were parked.
	 *
	 * @param upTo parked less than this ago, and not in a bucket before, or {@code null}
	 * for any time
	 * @param count how many
	 */
	public record AgeBucket(@Nullable Duration upTo, long count) {
	}

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
	 * @param samples what the running code makes of some of them, or {@code null} if none
	 * of them was converted here
	 */
	public record Group(FailureCause cause, long count, long budgetExhausted, Instant firstParkedAt,
			Instant lastParkedAt, String queue, String messageType, String owner, String reason, String failureClass,
			String fingerprint, List<String> handlerVersions, String replayPolicy, Verdict ifItFailsAlike,
			List<Finding> findings, @Nullable Samples samples) {

		public Group {
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
			 * Nobody knows: the reason tells of the budget or of the broker and not of
			 * the failure, or nothing in this instance handles messages of that queue.
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

			/**
			 * The schema was not supported, and the code that said so still runs here.
			 */
			SCHEMA_NOT_SUPPORTED,

			/** The code that runs here can't convert some of the sampled messages. */
			NOT_CONVERTIBLE

		}

	}

	/**
	 * What became of messages of a group that the code of this instance converted, as
	 * before it calls the handler.
	 *
	 * @param tried how many messages were converted, or were to be
	 * @param converted how many can be
	 * @param reasons why the others can't, as the current rules classify it, and how many
	 * they are
	 */
	public record Samples(int tried, int converted, Map<String, Integer> reasons) {

		/** The most messages of a dry run. */
		public static final int MOST = 20;

		public Samples {
			reasons = new TreeMap<>(reasons);
		}

	}

}
