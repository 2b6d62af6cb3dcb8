/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.parking.ledger;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

import org.jspecify.annotations.Nullable;

/**
 * Which instants can be asked for: those that every database of the ledger and the text
 * of an instant can hold. Java knows a billion years more.
 */
public final class Instants {

	/** The earliest. */
	public static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");

	/** The last. */
	public static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999999Z");

	private Instants() {
	}

	/**
	 * Whether an instant can be asked for.
	 * @param instant the instant, or {@code null} for none, which can
	 * @return {@code false} if it is out of range
	 */
	public static boolean known(@Nullable Instant instant) {
		return instant == null || (!instant.isBefore(FIRST) && !instant.truncatedTo(ChronoUnit.MICROS).isAfter(LAST));
	}

	/**
	 * Checks an instant.
	 * @param what what it is, for the exception
	 * @param instant the instant, or {@code null} for none
	 * @throws IllegalArgumentException if it is out of range
	 */
	static void check(String what, @Nullable Instant instant) {
		if (!known(instant)) {
			throw new IllegalArgumentException(
					"%s is %s. It must be from the year 1 to 9999.".formatted(what, instant));
		}
	}

}
