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
 * What a dry run shows of the messages, so that operators see who owns them.
 *
 * @param count how many there are, regardless of the maximum
 * @param token represents this number and this selection: if it is passed to the action
 * itself, the action is refused if there are more messages
 * @param samples the {@value #SAMPLES} oldest
 * @param owners the number of messages of each owner
 * @param reserved the messages that active replays have selected: they are left out,
 * unless the request takes reserved messages
 */
public record Preview(long count, String token, List<ParkedSummary> samples, Map<String, Long> owners,
		List<Reservation> reserved) {

	/** The number of messages shown. */
	public static final int SAMPLES = 5;

	public Preview {
		samples = List.copyOf(samples);
		owners = new TreeMap<>(owners);
		reserved = List.copyOf(reserved);
	}

	/**
	 * Messages that an active replay has selected and not yet published.
	 *
	 * @param replayId the replay
	 * @param state its state
	 * @param user who started it
	 * @param messages how many of the requested messages it has selected
	 */
	public record Reservation(String replayId, ReplayJob.State state, String user, long messages) {

		@Override
		public String toString() {
			return "%s by %s, which is %s".formatted(this.messages, this.replayId, this.state);
		}

	}

}
