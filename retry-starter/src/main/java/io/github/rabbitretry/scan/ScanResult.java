/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.scan;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What came of an act on the windows.
 *
 * @param replayId what replayed messages carry in {@code x-replay-id}, or {@code null} if
 * it was not a replay
 * @param dryRun whether messages were only counted
 * @param matching how many messages of the windows were meant
 * @param done how many were discarded or replayed, or would be
 * @param kept how many were meant and are still parked, since the maximum was reached or,
 * for a replay, the broker did not confirm their copies in time; a copy may then have
 * arrived all the same
 * @param windows how much of the parking lots was looked at
 */
public record ScanResult(@Nullable String replayId, boolean dryRun, long matching, long done, long kept,
		List<ScanWindow> windows) {

	public ScanResult {
		windows = List.copyOf(windows);
	}

}
