/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.classify;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * One SQLState, or all that begin alike.
 *
 * @param text five characters, or one to four
 * @param prefix whether others may follow
 */
record SqlStatePattern(String text, boolean prefix) {

	private static final Pattern FORM = Pattern.compile("[0-9A-Z]{5}|[0-9A-Z]{1,4}\\*");

	/**
	 * Reads a pattern.
	 * @param text {@code 40001} or {@code 40*}
	 * @return the pattern, or empty if it is none
	 */
	static Optional<SqlStatePattern> parse(String text) {
		String state = text.toUpperCase(Locale.ROOT);
		if (!FORM.matcher(state).matches()) {
			return Optional.empty();
		}
		boolean prefix = state.endsWith("*");
		return Optional.of(new SqlStatePattern(prefix ? state.substring(0, state.length() - 1) : state, prefix));
	}

	static boolean anyMatches(Collection<SqlStatePattern> patterns, String state) {
		return patterns.stream().anyMatch((pattern) -> pattern.matches(state));
	}

	private boolean matches(String state) {
		return this.prefix ? state.startsWith(this.text) : state.equals(this.text);
	}

	static boolean anyCovers(Collection<SqlStatePattern> patterns, SqlStatePattern special) {
		return patterns.stream().anyMatch((pattern) -> pattern.covers(special));
	}

	private boolean covers(SqlStatePattern other) {
		return this.prefix ? other.text.startsWith(this.text) : equals(other);
	}

	@Override
	public String toString() {
		return this.prefix ? this.text + "*" : this.text;
	}

}
