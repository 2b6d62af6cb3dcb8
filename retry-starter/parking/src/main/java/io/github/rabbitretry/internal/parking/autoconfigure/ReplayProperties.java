/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.autoconfigure;

import java.time.Duration;

import io.github.rabbitretry.internal.parking.replay.ReplaySettings;
import io.github.rabbitretry.internal.policy.InvalidPolicyException;
import org.springframework.boot.context.properties.ConfigurationProperties;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Replays of parked messages.
 *
 * @param enabled Whether parked messages can be replayed and discarded here.
 * @param editEnabled Whether parked messages can be edited before they are replayed.
 * @param work Whether this application works on replays; if not, other instances do.
 * @param inFlight How many messages a replay publishes before it writes their confirms
 * down; as many may be published twice if its instance dies.
 * @param lease How long after an instance died another one goes on with its replays.
 * @param pollInterval How often an instance looks for replays that nobody works on.
 * @param parallelJobs How many replays an instance works on at once.
 * @param confirmTimeout How long to wait for confirms before messages are published
 * again.
 * @param retention How long replays are kept after they end; the audit is kept without
 * end.
 */
@ConfigurationProperties(prefix = "rabbit-retry.replay", ignoreUnknownFields = false)
record ReplayProperties(@DefaultValue("true") boolean enabled, @DefaultValue("false") boolean editEnabled,
		@DefaultValue("true") boolean work, @DefaultValue("100") int inFlight, @DefaultValue("30s") Duration lease,
		@DefaultValue("1s") Duration pollInterval, @DefaultValue("4") int parallelJobs,
		@DefaultValue("30s") Duration confirmTimeout, @DefaultValue("90d") Duration retention) {

	private static final String PREFIX = "rabbit-retry.replay.";

	private static final int LARGEST_IN_FLIGHT = 1000;

	private static final int MOST_JOBS = 64;

	ReplaySettings settings() {
		between("in-flight", this.inFlight, LARGEST_IN_FLIGHT, "Use 100, the default.");
		between("parallel-jobs", this.parallelJobs, MOST_JOBS, "Use 4, the default.");
		between("lease", this.lease, Duration.ofSeconds(1), Duration.ofHours(1));
		between("poll-interval", this.pollInterval, Duration.ofMillis(10), Duration.ofHours(1));
		between("confirm-timeout", this.confirmTimeout, Duration.ofMillis(100), Duration.ofMinutes(10));
		between("retention", this.retention, Duration.ofDays(7), Duration.ofDays(36_500));
		return new ReplaySettings(this.lease, this.inFlight, this.pollInterval, this.parallelJobs, this.confirmTimeout,
				this.retention, this.editEnabled);
	}

	private static void between(String key, int value, int most, String remedy) {
		if (value < 1 || value > most) {
			throw new InvalidPolicyException(PREFIX + key, value, "must be from 1 to " + most, remedy);
		}
	}

	private static void between(String key, Duration value, Duration least, Duration most) {
		if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
			throw new InvalidPolicyException(PREFIX + key, value, "must be from %s to %s".formatted(least, most),
					"Leave it out to use the default.");
		}
	}

}
