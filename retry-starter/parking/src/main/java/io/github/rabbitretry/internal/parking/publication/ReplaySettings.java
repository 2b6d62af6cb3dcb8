/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.publication;

import java.time.Duration;

/**
 * The bounds of replays.
 *
 * @param lease how long an instance that died is waited for before another goes on, from
 * a second
 * @param inFlight how many messages are published at once before their confirms are
 * written down: the most that can be published twice when an instance dies, from 1 to
 * 1000
 * @param pollInterval how often an instance looks for jobs to work on
 * @param parallelJobs how many jobs an instance works on at once, from 1
 * @param confirmTimeout how long to wait for confirms before messages are published again
 * @param retention how long after its end a job is kept, from a week, since outcomes may
 * come so late
 * @param editEnabled whether messages may be edited
 */
public record ReplaySettings(Duration lease, int inFlight, Duration pollInterval, int parallelJobs,
		Duration confirmTimeout, Duration retention, boolean editEnabled) {

	/** How long other instances wait for one that died. */
	public static final Duration LEASE = Duration.ofSeconds(30);

	/**
	 * The configured settings, and fixed ones.
	 * @param confirmTimeout how long to wait for confirms
	 * @param retention how long a job is kept
	 * @param editEnabled whether messages may be edited
	 * @return the settings
	 */
	public static ReplaySettings of(Duration confirmTimeout, Duration retention, boolean editEnabled) {
		return new ReplaySettings(LEASE, 100, Duration.ofSeconds(1), 4, confirmTimeout, retention, editEnabled);
	}

}
