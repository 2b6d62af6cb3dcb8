/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.drill;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * What was expected of an experiment and what was seen.
 */
final class Findings {

	private static final String ROW = "  %-6s  %-68s  %s";

	private final Consumer<String> out;

	private final List<String> wrong = new ArrayList<>();

	Findings(Consumer<String> out) {
		this.out = out;
		out.accept(ROW.formatted("ok", "expected", "seen"));
	}

	/**
	 * Writes one down.
	 * @param expected what was expected
	 * @param seen what was seen
	 * @param ok whether that is it
	 */
	void add(String expected, Object seen, boolean ok) {
		this.out.accept(ROW.formatted(ok ? "yes" : "NOT OK", expected, seen));
		if (!ok) {
			this.wrong.add("expected %s, seen %s".formatted(expected, seen));
		}
	}

	/**
	 * Writes down something that has to be equal.
	 * @param expected what was expected, in words
	 * @param value what it has to be
	 * @param seen what it is
	 */
	void equal(String expected, Object value, Object seen) {
		add(expected, seen, value.equals(seen));
	}

	/** Prints something that is good to know. */
	void note(String text) {
		this.out.accept("          " + text);
	}

	/** What was seen and not expected. */
	List<String> wrong() {
		return List.copyOf(this.wrong);
	}

}
