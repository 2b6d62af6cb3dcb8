/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.parking.replay;

/**
 * Messages that a replay, which has not ended, has selected and not published yet.
 *
 * @param replayId the replay
 * @param state where it stands
 * @param user who began it
 * @param messages how many of those asked for
 */
public record Reservation(String replayId, JobState state, String user, long messages) {

	@Override
	public String toString() {
		return "%d by %s, which is %s".formatted(this.messages, this.replayId, this.state);
	}

}
