/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.parking.replay;

import org.jspecify.annotations.Nullable;

/**
 * A request to replay messages.
 *
 * @param selection the messages
 * @param options the options
 * @param act the user and the reason
 * @param uncertainOf a replay that has ended, to replay only the messages that it may
 * have published, or {@code null} for parked messages
 * @param restOf a replay that has ended, to replay only the messages that it did not
 * publish and that are still parked, or {@code null} for parked messages
 * @param expected the expected number of messages, or {@code null} for any number
 * @param takeReserved whether to include messages that another replay has selected and
 * not yet published; the first of the two replays publishes each message, and the other
 * skips it
 */
public record ReplayRequest(Selection selection, ReplayOptions options, OperatorAction act,
		@Nullable String uncertainOf, @Nullable String restOf, @Nullable Expectation expected, boolean takeReserved) {

	/**
	 * Checks that at most one other replay is given.
	 * @throws ReplayRefusedException if there are two
	 */
	public ReplayRequest {
		if (uncertainOf != null && restOf != null) {
			throw ReplayRefusedException.invalid("restOf", "is set, and uncertainOf too",
					"A message is either uncertain or not published: leave out one of the two.");
		}
	}

	/**
	 * Creates a request for parked messages that no other replay has selected.
	 * @param selection the messages
	 * @param options the options
	 * @param act the user and the reason
	 */
	public ReplayRequest(Selection selection, ReplayOptions options, OperatorAction act) {
		this(selection, options, act, null, null, null, false);
	}

	/**
	 * Creates a request for messages that another replay may have published.
	 * @param selection which of these messages
	 * @param options the options
	 * @param act the user and the reason
	 * @param uncertainOf the other replay
	 */
	public ReplayRequest(Selection selection, ReplayOptions options, OperatorAction act, @Nullable String uncertainOf) {
		this(selection, options, act, uncertainOf, null, null, false);
	}

	/**
	 * Returns this request for messages that another replay did not publish.
	 * @param replayId the other replay, which has ended
	 * @return the new request
	 */
	public ReplayRequest withRestOf(@Nullable String replayId) {
		return new ReplayRequest(this.selection, this.options, this.act, this.uncertainOf, replayId, this.expected,
				this.takeReserved);
	}

	/**
	 * Returns this request with an expected number of messages, above which it is
	 * refused.
	 * @param expected the expected number
	 * @return the new request
	 */
	public ReplayRequest withExpected(@Nullable Expectation expected) {
		return new ReplayRequest(this.selection, this.options, this.act, this.uncertainOf, this.restOf, expected,
				this.takeReserved);
	}

	/**
	 * Returns this request with or without messages that another replay has selected.
	 * @param takeReserved whether to include them
	 * @return the new request
	 */
	public ReplayRequest withTakeReserved(boolean takeReserved) {
		return new ReplayRequest(this.selection, this.options, this.act, this.uncertainOf, this.restOf, this.expected,
				takeReserved);
	}

	/**
	 * Returns a description of the messages, for the audit.
	 * @return the description
	 */
	public String selected() {
		String of = (this.uncertainOf != null) ? "uncertain of %s: ".formatted(this.uncertainOf)
				: (this.restOf != null) ? "rest of %s: ".formatted(this.restOf) : "";
		return of + this.selection;
	}

}
