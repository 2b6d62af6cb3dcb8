/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.mapping;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;

import com.rabbitmq.client.LongString;
import io.github.rabbitretry.internal.message.HeaderText;
import org.jspecify.annotations.Nullable;

/**
 * Headers of a parked message, from whomever. What has a wrong type or can't be true
 * counts as absent; text is made fit for a database.
 *
 * @param headers the headers as received
 * @param now the current instant
 */
record HeaderValues(Map<String, ?> headers, Instant now) {

	/** What a name, an id or a version may take at most, in bytes. */
	static final int LONGEST = 255;

	private static final Duration CLOCK_SKEW = Duration.ofMinutes(5);

	@Nullable String text(String name, int longest) {
		Object value = this.headers.get(name);
		boolean simple = value instanceof String || value instanceof LongString || value instanceof Number
				|| value instanceof Boolean;
		return simple ? fit(value.toString(), longest) : null;
	}

	String text(String name, int longest, String otherwise) {
		String text = text(name, longest);
		return (text != null) ? text : otherwise;
	}

	@Nullable String first(List<String> names) {
		for (String name : names) {
			String text = text(name, LONGEST);
			if (text != null) {
				return text;
			}
		}
		return null;
	}

	int count(String name) {
		Object value = this.headers.get(name);
		boolean whole = value instanceof Integer || value instanceof Long || value instanceof Short
				|| value instanceof Byte;
		long count = whole ? ((Number) value).longValue() : 0;
		return (int) Math.max(0, Math.min(count, Integer.MAX_VALUE));
	}

	Instant instant(String name, Instant otherwise) {
		Object value = this.headers.get(name);
		if (value instanceof String || value instanceof LongString) {
			try {
				Instant instant = Instant.parse(value.toString());
				if (instant.isAfter(Instant.EPOCH) && !instant.isAfter(this.now.plus(CLOCK_SKEW))) {
					return instant.truncatedTo(ChronoUnit.MICROS);
				}
			}
			catch (DateTimeException ex) {
				// not believed
			}
		}
		return otherwise;
	}

	/**
	 * Makes a text fit: PostgreSQL takes no NUL character, and nothing takes what is
	 * longer than its column.
	 * @param text the text
	 * @param longest the most bytes
	 * @return the text, or {@code null} if nothing is left of it
	 */
	static @Nullable String fit(@Nullable String text, int longest) {
		if (text == null || text.isBlank()) {
			return null;
		}
		return HeaderText.bounded(text.replace('\u0000', '\uFFFD'), longest);
	}

}
