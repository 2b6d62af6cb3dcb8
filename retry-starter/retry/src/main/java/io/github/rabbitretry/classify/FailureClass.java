/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.classify;

import java.util.Locale;
import java.util.Optional;

/**
 * The kinds of failure, a closed set: everything that is decided about a failed delivery
 * starts from one of them.
 */
public enum FailureClass {

	/** The same message may succeed later: a timeout, a dependency that is down. */
	TRANSIENT,

	/** The same message will succeed once others have let go: a lock, a rate limit. */
	CONTENTION,

	/** The message can't be processed by this code: malformed, unknown schema. */
	PERMANENT_TECHNICAL,

	/** The business says no, and will say no again. */
	PERMANENT_BUSINESS,

	/** The message harms whoever handles it: it was given up by the broker. */
	POISON,

	/** No rule knows the failure; it is retried within the budget. */
	UNKNOWN;

	private final String label = name().toLowerCase(Locale.ROOT).replace('_', '-');

	/**
	 * The class as headers, metrics and configuration spell it.
	 * @return the name in lower case with hyphens, {@code permanent-technical}
	 */
	public String label() {
		return this.label;
	}

	/**
	 * Whether trying again can help at all.
	 * @return {@code true} for {@link #TRANSIENT}, {@link #CONTENTION} and
	 * {@link #UNKNOWN}
	 */
	public boolean retryable() {
		return this == TRANSIENT || this == CONTENTION || this == UNKNOWN;
	}

	/**
	 * Finds a class by its label.
	 * @param label the class as {@link #label()} spells it
	 * @return the class, or empty if there is none of that label
	 */
	public static Optional<FailureClass> ofLabel(String label) {
		for (FailureClass candidate : values()) {
			if (candidate.label.equals(label)) {
				return Optional.of(candidate);
			}
		}
		return Optional.empty();
	}

}
