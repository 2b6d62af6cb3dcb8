/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Points in time as people type them.
 */
final class PointInTime {

	private static final Pattern AGO = Pattern.compile("([0-9]{1,6})(s|m|min|h|d)");

	private PointInTime() {
	}

	/**
	 * Understands a point in time.
	 * @param text as {@code 2h} for two hours ago, or {@code 2026-07-01} or
	 * {@code 2026-07-01T12:00} where the user is
	 * @param now when it is typed
	 * @param zone where the user is
	 * @return the instant; what is none of these, as it is
	 */
	static String instant(String text, Instant now, ZoneId zone) {
		Matcher ago = AGO.matcher(text);
		if (ago.matches()) {
			long amount = Long.parseLong(ago.group(1));
			return now.minus(switch (ago.group(2)) {
				case "s" -> Duration.ofSeconds(amount);
				case "h" -> Duration.ofHours(amount);
				case "d" -> Duration.ofDays(amount);
				default -> Duration.ofMinutes(amount);
			}).toString();
		}
		try {
			boolean day = text.length() == "2026-07-01".length();
			return (day ? LocalDate.parse(text).atStartOfDay() : LocalDateTime.parse(text.replace(' ', 'T')))
				.atZone(zone)
				.toInstant()
				.toString();
		}
		catch (DateTimeException ex) {
			return text;
		}
	}

}
