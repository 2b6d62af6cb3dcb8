/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli.output;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Times and durations as people say them.
 *
 * @param utc whether times are shown as they came: exact, in UTC
 * @param now what is past and what is to come
 * @param zone where the reader is, or {@code null} for what the machine says
 */
public record Times(boolean utc, Instant now, @Nullable ZoneId zone) {

	private static final Duration RECENT = Duration.ofHours(20);

	/** A time in a table: what is recent as "5 min ago". */
	String brief(String text) {
		Instant instant = instant(text);
		if (instant == null || this.utc) {
			return (instant != null) ? instant.truncatedTo(ChronoUnit.SECONDS).toString() : text;
		}
		return recent(instant) ? relative(instant) : local(instant, ChronoUnit.MINUTES);
	}

	/** A time among facts: local, with its offset and how long ago it was. */
	String whole(String text) {
		Instant instant = instant(text);
		if (instant == null || this.utc) {
			return text;
		}
		return "%s %s (%s)".formatted(local(instant, ChronoUnit.SECONDS), at(instant).getOffset(), relative(instant));
	}

	private static @Nullable Instant instant(String text) {
		// the parser is slow to refuse what is no time
		if (text.length() < 20 || !text.endsWith("Z") || text.charAt(10) != 'T') {
			return null;
		}
		try {
			return Instant.parse(text);
		}
		catch (DateTimeException ex) {
			return null;
		}
	}

	private boolean recent(Instant instant) {
		return Duration.between(instant, this.now).abs().compareTo(RECENT) < 0;
	}

	private String relative(Instant instant) {
		Duration since = Duration.between(instant, this.now);
		if (since.abs().toSeconds() < 1) {
			return "now";
		}
		return since.isNegative() ? "in " + rough(since.negated()) : rough(since) + " ago";
	}

	private String local(Instant instant, ChronoUnit to) {
		String text = at(instant).truncatedTo(to).toLocalDateTime().toString().replace('T', ' ');
		// a time on the minute has no seconds
		return (to == ChronoUnit.SECONDS && text.length() == "2026-07-01 12:00".length()) ? text + ":00" : text;
	}

	private OffsetDateTime at(Instant instant) {
		return OffsetDateTime.ofInstant(instant, (this.zone != null) ? this.zone : ZoneId.systemDefault());
	}

	/** The largest unit alone. */
	private static String rough(Duration duration) {
		if (duration.toDays() > 1) {
			return duration.toDays() + " days";
		}
		if (duration.toHours() > 1) {
			return duration.toHours() + " h";
		}
		return (duration.toMinutes() > 1) ? duration.toMinutes() + " min" : duration.toSeconds() + " s";
	}

	/**
	 * A duration.
	 * @param text as {@code PT1H30M}
	 * @return as {@code 1 h 30 min}; what is no duration, as it is
	 */
	static String duration(String text) {
		if (!text.matches("PT[0-9.HMS]+")) {
			return text;
		}
		try {
			return duration(Duration.parse(text));
		}
		catch (DateTimeException ex) {
			return text;
		}
	}

	private static String duration(Duration duration) {
		List<String> parts = new ArrayList<>();
		part(parts, duration.toDays(), "d");
		part(parts, duration.toHoursPart(), "h");
		part(parts, duration.toMinutesPart(), "min");
		part(parts, duration.toSecondsPart(), "s");
		part(parts, duration.toMillisPart(), "ms");
		return parts.isEmpty() ? "0 s" : String.join(" ", parts);
	}

	private static void part(List<String> parts, long amount, String unit) {
		if (amount > 0) {
			parts.add(amount + " " + unit);
		}
	}

}
