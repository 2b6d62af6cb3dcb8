/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.configuration;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/**
 * What was probably meant.
 */
public final class Suggestion {

	private Suggestion() {
	}

	/**
	 * Finds what was probably meant.
	 * @param text what is written
	 * @param candidates what could be
	 * @return the candidate most like it, or empty if none is much like it
	 */
	public static Optional<String> of(String text, Collection<String> candidates) {
		return candidates.stream()
			.min(Comparator.comparingInt((candidate) -> distance(text, candidate)))
			.filter((candidate) -> distance(text, candidate) <= Math.max(2, text.length() / 3));
	}

	/** Levenshtein's. */
	private static int distance(String one, String other) {
		int[] row = new int[other.length() + 1];
		Arrays.setAll(row, (column) -> column);
		for (int i = 1; i <= one.length(); i++) {
			int diagonal = row[0];
			row[0] = i;
			for (int j = 1; j <= other.length(); j++) {
				int replaced = diagonal + ((one.charAt(i - 1) == other.charAt(j - 1)) ? 0 : 1);
				diagonal = row[j];
				row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
			}
		}
		return row[other.length()];
	}

}
