/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.classify;

import java.util.Locale;
import java.util.Optional;

/**
 * The kinds of failure, a closed set. Every decision about a failed delivery is based on
 * one of them.
 */
public enum FailureClass {

	/** The same message may succeed later: a timeout, a dependency that is down. */
	TRANSIENT,

	/** The same message will succeed once contention ends: a lock, a rate limit. */
	CONTENTION,

	/**
	 * The message cannot be processed by this code: it is malformed, or its schema is
	 * unknown.
	 */
	PERMANENT_TECHNICAL,

	/** Business rules reject the message, and will reject it again. */
	PERMANENT_BUSINESS,

	/** The message harms its consumers: the broker dead-lettered it. */
	POISON,

	/** No rule matches the failure; it is retried within the budget. */
	UNKNOWN;

	private final String label = name().toLowerCase(Locale.ROOT).replace('_', '-');

	/**
	 * The class as spelled in headers, metrics and configuration.
	 * @return the name in lower case with hyphens, such as {@code permanent-technical}
	 */
	public String label() {
		return this.label;
	}

	/**
	 * Whether retrying can help.
	 * @return {@code true} for {@link #TRANSIENT}, {@link #CONTENTION} and
	 * {@link #UNKNOWN}
	 */
	public boolean retryable() {
		return this == TRANSIENT || this == CONTENTION || this == UNKNOWN;
	}

	/**
	 * Finds a class by its label.
	 * @param label the class as returned by {@link #label()}
	 * @return the class, or empty if no class has that label
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
