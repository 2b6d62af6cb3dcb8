/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.classify;

import java.util.Collection;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * HTTP statuses in a row.
 *
 * @param first the first, 100 or more
 * @param last the last, 599 or less
 */
record HttpStatusRange(int first, int last) {

	private static final Pattern HUNDREDS = Pattern.compile("([1-5])[xX]{2}");

	private static final Pattern ONE_OR_TWO = Pattern.compile("([1-5]\\d{2})(?:\\s*-\\s*([1-5]\\d{2}))?");

	static boolean isStatus(int status) {
		return status >= 100 && status <= 599;
	}

	/**
	 * Reads a range.
	 * @param text {@code 503}, {@code 5xx} or {@code 500-599}
	 * @return the range, or empty if it is none
	 */
	static Optional<HttpStatusRange> parse(String text) {
		Matcher hundreds = HUNDREDS.matcher(text);
		if (hundreds.matches()) {
			int first = 100 * Integer.parseInt(hundreds.group(1));
			return Optional.of(new HttpStatusRange(first, first + 99));
		}
		Matcher matcher = ONE_OR_TWO.matcher(text);
		if (!matcher.matches()) {
			return Optional.empty();
		}
		int first = Integer.parseInt(matcher.group(1));
		int last = (matcher.group(2) != null) ? Integer.parseInt(matcher.group(2)) : first;
		return (first <= last) ? Optional.of(new HttpStatusRange(first, last)) : Optional.empty();
	}

	static boolean cover(Collection<HttpStatusRange> ranges, HttpStatusRange special) {
		return IntStream.rangeClosed(special.first, special.last)
			.allMatch((status) -> ranges.stream().anyMatch((range) -> status >= range.first && status <= range.last));
	}

	@Override
	public String toString() {
		return (this.first == this.last) ? String.valueOf(this.first) : this.first + "-" + this.last;
	}

}
