/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.message;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Reads numbers and instants from headers that anybody can have written. Every value has
 * bounds, within which no later sum or difference can overflow; what lies outside of them
 * counts as absent, and its header is listed.
 */
final class HeaderReader {

	private final Map<String, ?> headers;

	private final Instant now;

	private final List<String> ignored = new ArrayList<>(0);

	HeaderReader(Map<String, ?> headers, Instant now) {
		this.headers = headers;
		this.now = now;
	}

	Map<String, ?> headers() {
		return this.headers;
	}

	Instant now() {
		return this.now;
	}

	/**
	 * The headers that were not believed.
	 * @return their names
	 */
	List<String> ignored() {
		return this.ignored;
	}

	/**
	 * Reads a whole number.
	 * @param name the header's name
	 * @param largest the largest value that is believed
	 * @return the number, 0 if there is none from 0 to the largest
	 */
	long count(String name, long largest) {
		Object value = this.headers.get(name);
		if (value == null) {
			return 0;
		}
		if (whole(value)) {
			long count = ((Number) value).longValue();
			if (count >= 0 && count <= largest) {
				return count;
			}
		}
		this.ignored.add(name);
		return 0;
	}

	/**
	 * Reads milliseconds.
	 * @param name the header's name
	 * @param longest the longest delay
	 * @return the delay, the longest one if there is none
	 */
	Duration delay(String name, Duration longest) {
		Object value = this.headers.get(name);
		if (value == null) {
			return longest;
		}
		if (whole(value) && ((Number) value).longValue() > 0) {
			return Duration.ofMillis(Math.min(((Number) value).longValue(), longest.toMillis()));
		}
		this.ignored.add(name);
		return longest;
	}

	/**
	 * Reads an instant of the past.
	 * @param name the header's name
	 * @return the instant; now if it is ahead by no more than clocks may differ
	 */
	@Nullable Instant instant(String name) {
		Instant instant = instant(name, DeliveryHistory.CLOCK_SKEW);
		return (instant != null && instant.isAfter(this.now)) ? this.now : instant;
	}

	/**
	 * Reads an instant.
	 * @param name the header's name
	 * @param ahead how far in the future it may be
	 * @return the instant, or {@code null} if there is none that can be believed
	 */
	@Nullable Instant instant(String name, Duration ahead) {
		Object value = this.headers.get(name);
		if (value == null) {
			return null;
		}
		Instant instant = parse(value);
		if (instant != null && !instant.isBefore(Instant.EPOCH) && !instant.isAfter(this.now.plus(ahead))) {
			return instant;
		}
		this.ignored.add(name);
		return null;
	}

	/**
	 * Whether an instant lies in the future, however far.
	 * @param name the header's name
	 * @return {@code true} if a clock ahead of this one wrote it
	 */
	boolean ahead(String name) {
		Instant instant = parse(this.headers.get(name));
		return instant != null && instant.isAfter(this.now);
	}

	/** Checks whether the history of attempts is readable; nothing depends on it. */
	void attempts() {
		Object value = this.headers.get(AppHeaders.RETRY_HISTORY);
		if (value != null && !(value instanceof String text && AttemptHistory.readable(text))) {
			this.ignored.add(AppHeaders.RETRY_HISTORY);
		}
	}

	private static boolean whole(Object value) {
		return value instanceof Integer || value instanceof Long || value instanceof Short || value instanceof Byte;
	}

	static @Nullable Instant parse(@Nullable Object value) {
		try {
			return (value instanceof String text) ? Instant.parse(text) : null;
		}
		catch (DateTimeParseException ex) {
			return null;
		}
	}

}
