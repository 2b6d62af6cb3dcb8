/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.decision;

import java.time.Duration;
import java.util.Locale;

/**
 * Durations as people read them.
 */
public final class Spelling {

	private Spelling() {
	}

	/**
	 * Spells a duration.
	 * @param duration the duration
	 * @return hours, minutes, seconds, as {@code 1h30m}, {@code 36s}, {@code 0.5s}
	 */
	public static String of(Duration duration) {
		return duration.toString().substring(2).toLowerCase(Locale.ROOT);
	}

}
