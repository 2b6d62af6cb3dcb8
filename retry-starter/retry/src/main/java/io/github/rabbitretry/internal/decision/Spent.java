/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.decision;

import io.github.rabbitretry.internal.policy.Budget;
import io.github.rabbitretry.topology.Usage;
import org.jspecify.annotations.Nullable;

/**
 * Whether a budget that the handler spends itself is used up, so that no further attempt
 * could do anything.
 */
final class Spent {

	private Spent() {
	}

	static boolean of(Budget budget, Usage usage, DecisionWatcher watcher) {
		return of("max-downstream-calls", usage.downstreamCalls(), budget.maxDownstreamCalls(), watcher)
				|| of("max-cost", usage.cost(), budget.maxCost(), watcher);
	}

	private static boolean of(String key, long spent, @Nullable Long most, DecisionWatcher watcher) {
		return most != null && watcher.told(key, spent >= most, () -> "%d of %d spent".formatted(spent, most));
	}

}
