/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.replay;

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
}
