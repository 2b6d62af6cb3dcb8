/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.decision;

import java.util.function.Supplier;

/**
 * Receives every step of a decision.
 */
@FunctionalInterface
public interface DecisionWatcher {

	/** Ignores all steps. */
	DecisionWatcher NOBODY = (check, ends, values) -> {
	};

	/**
	 * A step.
	 * @param check what was looked at, where it is configured by its key
	 * @param ends whether that ended the matter
	 * @param values the values that were compared; made up only when asked for
	 */
	void step(String check, boolean ends, Supplier<String> values);

	/**
	 * Tells a step.
	 * @param check what was looked at
	 * @param ends whether that ended the matter
	 * @param values the values that were compared
	 * @return {@code ends}
	 */
	default boolean checked(String check, boolean ends, Supplier<String> values) {
		step(check, ends, values);
		return ends;
	}

}
