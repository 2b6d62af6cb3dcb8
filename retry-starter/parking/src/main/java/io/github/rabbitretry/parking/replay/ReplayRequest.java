/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.parking.replay;

import org.jspecify.annotations.Nullable;

/**
 * What is to be replayed, how, by whom and why.
 *
 * @param selection which messages
 * @param options how
 * @param act who and why
 * @param uncertainOf a replay that has ended, of which only those messages are meant that
 * it perhaps published and perhaps did not, or {@code null} for what is parked
 * @param restOf a replay that has ended, of which only those messages are meant that it
 * did not publish and that are parked, or {@code null} for what is parked
 * @param expected how many messages there may be, or {@code null} for any number
 * @param takeReserved whether messages are meant too that another replay has selected and
 * not published yet: of the two, the one that comes first publishes each, and the other
 * skips it
 */
public record ReplayRequest(Selection selection, ReplayOptions options, OperatorAction act,
		@Nullable String uncertainOf, @Nullable String restOf, @Nullable Expectation expected, boolean takeReserved) {

	/**
	 * Checks that one other replay is named at most.
	 * @throws ReplayRefusedException if there are two
	 */
	public ReplayRequest {
		if (uncertainOf != null && restOf != null) {
			throw ReplayRefusedException.invalid("restOf", "is set, and uncertainOf too",
					"A message is either uncertain or not published: leave out one of the two.");
		}
	}

	/**
	 * A replay of what is parked and no other replay has selected.
	 * @param selection which messages
	 * @param options how
	 * @param act who and why
	 */
	public ReplayRequest(Selection selection, ReplayOptions options, OperatorAction act) {
		this(selection, options, act, null, null, null, false);
	}

	/**
	 * A replay of what another replay perhaps published and perhaps did not.
	 * @param selection which messages of these
	 * @param options how
	 * @param act who and why
	 * @param uncertainOf the other replay
	 */
	public ReplayRequest(Selection selection, ReplayOptions options, OperatorAction act, @Nullable String uncertainOf) {
		this(selection, options, act, uncertainOf, null, null, false);
	}

	/**
	 * This request, of what another replay did not publish.
	 * @param replayId the other replay, which has ended
	 * @return another request
	 */
	public ReplayRequest withRestOf(@Nullable String replayId) {
		return new ReplayRequest(this.selection, this.options, this.act, this.uncertainOf, replayId, this.expected,
				this.takeReserved);
	}

	/**
	 * This request, refused if there are more messages than expected.
	 * @param expected how many there may be
	 * @return another request
	 */
	public ReplayRequest withExpected(@Nullable Expectation expected) {
		return new ReplayRequest(this.selection, this.options, this.act, this.uncertainOf, this.restOf, expected,
				this.takeReserved);
	}

	/**
	 * This request, of messages too that another replay has selected.
	 * @param takeReserved whether they are meant
	 * @return another request
	 */
	public ReplayRequest withTakeReserved(boolean takeReserved) {
		return new ReplayRequest(this.selection, this.options, this.act, this.uncertainOf, this.restOf, this.expected,
				takeReserved);
	}

	/**
	 * What is to be replayed as people write it, for the audit.
	 * @return text
	 */
	public String selected() {
		String of = (this.uncertainOf != null) ? "uncertain of %s: ".formatted(this.uncertainOf)
				: (this.restOf != null) ? "rest of %s: ".formatted(this.restOf) : "";
		return of + this.selection;
	}

}
