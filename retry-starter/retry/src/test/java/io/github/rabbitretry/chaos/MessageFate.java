/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.chaos;

import java.net.SocketTimeoutException;
import java.util.Set;

/**
 * What is to become of a message, known from its number: even ones are handled at once,
 * odd ones fail.
 */
enum MessageFate {

	SUCCEEDS(0, true), HEALS_AT_FIRST_RETRY(1, true), HEALS_AT_SECOND_RETRY(2, true), NEVER(Integer.MAX_VALUE, false),
	IMPOSSIBLE(Integer.MAX_VALUE, false);

	private static final Set<String> BROKER_MADE = Set.of("DELIVERY_LIMIT");

	private final int healsAt;

	private final boolean handled;

	MessageFate(int healsAt, boolean handled) {
		this.healsAt = healsAt;
		this.handled = handled;
	}

	static MessageFate of(int number) {
		if (number % 2 == 0) {
			return SUCCEEDS;
		}
		return switch ((number / 2) % 4) {
			case 0 -> HEALS_AT_FIRST_RETRY;
			case 1 -> HEALS_AT_SECOND_RETRY;
			case 2 -> NEVER;
			default -> IMPOSSIBLE;
		};
	}

	boolean handled() {
		return this.handled;
	}

	/** Whether it may be parked for this reason. */
	boolean parked(String reason) {
		return BROKER_MADE.contains(reason) || (this == NEVER && reason.equals("RETRY_BUDGET_EXHAUSTED"))
				|| (this == IMPOSSIBLE && reason.equals("IMPOSSIBLE"));
	}

	void play(int attempt) throws Exception {
		if (this == IMPOSSIBLE) {
			throw new ImpossibleException();
		}
		if (attempt < this.healsAt) {
			throw new SocketTimeoutException("no answer at attempt " + attempt);
		}
	}

	/** Will not be possible later either; a rule says so. */
	static final class ImpossibleException extends RuntimeException {

		private static final long serialVersionUID = 1L;

	}

}
