/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.scan;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What came of an act on the windows.
 *
 * @param replayId what replayed messages carry in {@code x-replay-id}, or {@code null} if
 * it was not a replay
 * @param dryRun whether messages were only counted
 * @param matching how many messages of the windows were meant
 * @param done how many were discarded or replayed and are parked no more, made sure of,
 * or would be
 * @param kept how many were meant and are not known to be done, since the maximum was
 * reached, the act can't be done with them, or the broker did not confirm it
 * @param uncertain how many of those kept may have been discarded or replayed all the
 * same: look before you do it again
 * @param refused the messages that it can't be done with
 * @param windows how much of the parking lots was looked at
 */
public record ScanResult(@Nullable String replayId, boolean dryRun, long matching, long done, long kept, long uncertain,
		List<Refused> refused, List<ScanWindow> windows) {

	public ScanResult {
		refused = List.copyOf(refused);
		windows = List.copyOf(windows);
	}

	/**
	 * A message that an act can't be done with, and that is parked still.
	 *
	 * @param id its id
	 * @param messageId its message id, as far as it can be read
	 * @param why why not, without a text of the message's own
	 */
	public record Refused(long id, @Nullable String messageId, String why) {
	}

}
