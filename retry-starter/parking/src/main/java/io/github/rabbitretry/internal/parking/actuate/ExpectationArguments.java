/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.actuate;

import io.github.rabbitretry.internal.actuate.EndpointException;
import io.github.rabbitretry.internal.actuate.EndpointRequest;
import io.github.rabbitretry.parking.replay.Expectation;
import org.jspecify.annotations.Nullable;

/**
 * How many messages may be there: {@code expect}, a number or the token of a dry run.
 */
final class ExpectationArguments {

	/** No act takes more. */
	private static final long MOST = 100_000_000;

	private ExpectationArguments() {
	}

	static @Nullable Expectation of(EndpointRequest request) {
		String text = request.text("expect");
		return (text != null) ? Expectation.parse(text.trim()) : null;
	}

	/**
	 * Refuses an act by filter that does not say how many messages it expects.
	 * @param expected what it says
	 */
	static void require(@Nullable Expectation expected) {
		if (expected == null) {
			throw EndpointException
				.invalid("'expect' is missing: how many messages match at most? Give the number, or the token"
						+ " of a dry run.");
		}
	}

	/**
	 * The most messages of an act that does not say it.
	 * @param expected what it says instead, {@code null} for a dry run
	 * @return at least one
	 */
	static long maximum(@Nullable Expectation expected) {
		return (expected != null) ? Math.max(1, Math.min(expected.count(), MOST)) : MOST;
	}

}
