/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.parking.replay;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.github.rabbitretry.parking.message.ParkedSummary;

/**
 * What a dry run shows of the messages, so that whoever decides sees whose they are.
 *
 * @param count how many there are, whatever the maximum
 * @param token stands for this number and this selection: given to the act itself, it has
 * more messages refused
 * @param samples the {@value #SAMPLES} oldest
 * @param owners how many there are of each owner
 * @param reserved those that are left out, since replays that have not ended have
 * selected them; if they are taken all the same, those that are not left out
 */
public record Preview(long count, String token, List<ParkedSummary> samples, Map<String, Long> owners,
		List<Reservation> reserved) {

	/** How many messages are shown. */
	public static final int SAMPLES = 5;

	public Preview {
		samples = List.copyOf(samples);
		owners = new TreeMap<>(owners);
		reserved = List.copyOf(reserved);
	}

	/**
	 * Messages that a replay, which has not ended, has selected and not published yet.
	 *
	 * @param replayId the replay
	 * @param state where it stands
	 * @param user who began it
	 * @param messages how many of those asked for
	 */
	public record Reservation(String replayId, ReplayJob.State state, String user, long messages) {

		@Override
		public String toString() {
			return "%d by %s, which is %s".formatted(this.messages, this.replayId, this.state);
		}

	}

}
