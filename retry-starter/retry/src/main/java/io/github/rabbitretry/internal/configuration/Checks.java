/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.configuration;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.regex.Pattern;

import io.github.rabbitretry.internal.topology.InvalidConfigurationException;

/**
 * Checks of single values. Keys are relative to the record that is checked.
 */
final class Checks {

	private static final Duration LONGEST_DELAY = Duration.ofDays(10);

	/** A message is hardly ever delivered again later than that. */
	static final Duration LONGEST_AGE = Duration.ofDays(366);

	private static final Pattern REASON = Pattern.compile("[A-Z][A-Z0-9_]{0,63}");

	private Checks() {
	}

	static InvalidConfigurationException invalid(String key, Object value, String relation, String remedy) {
		return new InvalidConfigurationException(key, value, relation, remedy);
	}

	static void between(String key, long number, long least, long most) {
		if (number < least || number > most) {
			throw invalid(key, number, "must be from %s to %s".formatted(least, most),
					(number < least) ? "Raise it." : "Lower it.");
		}
	}

	static void between(String key, Duration value, Duration least, Duration most, String remedy) {
		if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
			throw invalid(key, value, "must be from %s to %s".formatted(least, most), remedy);
		}
	}

	static void between(String key, double value, double least, double most, String remedy) {
		// so that NaN is rejected too
		if (!(value >= least && value <= most)) {
			throw invalid(key, value, "must be from %s to %s".formatted(String.valueOf(least).replaceFirst("\\.0$", ""),
					String.valueOf(most).replaceFirst("\\.0$", "")), remedy);
		}
	}

	static void positive(String key, Duration value) {
		if (value.isNegative() || value.isZero()) {
			throw invalid(key, value, "must be positive", "Use at least 1ms.");
		}
	}

	static void atMost(String key, Duration value, Duration most, String remedy) {
		if (value.compareTo(most) > 0) {
			throw invalid(key, value, "must be at most " + most, remedy);
		}
	}

	/** A delay that a queue has to keep. */
	static void delay(String key, Duration value) {
		positive(key, value);
		atMost(key, value, LONGEST_DELAY, "For longer waits a scheduler is the better place.");
		if (value.toNanosPart() % 1_000_000 != 0) {
			throw invalid(key, value, "must be whole milliseconds", "Round it; the broker counts in milliseconds.");
		}
	}

	static void text(String key, String text) {
		if (text.isBlank()) {
			throw invalid(key, text, "must not be blank", "Leave the key out for its default.");
		}
	}

	static void reasons(String key, Set<String> reasons) {
		for (String reason : reasons) {
			if (!REASON.matcher(reason).matches()) {
				throw invalid(key, reason, "must be upper case letters, digits and underscores, at most 64",
						"Write it as the rules and the metrics do, DOWNSTREAM_TIMEOUT.");
			}
		}
	}

	static int bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8).length;
	}

}
