/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.classify;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.regex.Pattern;

import io.github.rabbitretry.classify.FailureClassification;

/**
 * The value of a {@code Retry-After} header: seconds or an HTTP date (RFC 9110, 10.2.3).
 * A value that makes no sense, is zero or lies in the past counts as not there; a very
 * long one is cut, since the called service's mistake must not become ours.
 */
final class RetryAfter {

	private static final Pattern SECONDS = Pattern.compile("[0-9]+");

	/** More digits are beyond {@link #LONGEST} for sure, and may be beyond a long. */
	private static final int MAX_DIGITS = 9;

	private RetryAfter() {
	}

	static Optional<Duration> parse(String value, Clock clock) {
		String trimmed = value.trim();
		Optional<Duration> delay = SECONDS.matcher(trimmed).matches() ? Optional.of(seconds(trimmed))
				: untilDate(trimmed, clock);
		return delay.filter((wanted) -> !wanted.isNegative() && !wanted.isZero());
	}

	private static Duration seconds(String digits) {
		String significant = digits.replaceFirst("^0+(?=.)", "");
		return (significant.length() > MAX_DIGITS) ? FailureClassification.LONGEST_DELAY
				: Duration.ofSeconds(Long.parseLong(significant));
	}

	private static Optional<Duration> untilDate(String value, Clock clock) {
		try {
			Instant date = DateTimeFormatter.RFC_1123_DATE_TIME.parse(value, Instant::from);
			return Optional.of(Duration.between(clock.instant(), date));
		}
		catch (DateTimeParseException ex) {
			return Optional.empty();
		}
	}

}
