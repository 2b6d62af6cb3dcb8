/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.decision;

import io.github.rabbitretry.policy.Budget;
import io.github.rabbitretry.topology.Spending;

/**
 * Whether a budget that the handler spends itself is used up, so that no further attempt
 * could do anything.
 */
public final class Spent {

	private Spent() {
	}

	/**
	 * Whether a budget that handlers spend is used up.
	 * @param budget the budget
	 * @param spending what is spent
	 * @return {@code true} if no further call of the handler is worth it
	 */
	public static boolean of(Budget budget, Spending spending) {
		Long calls = budget.maxDownstreamCalls();
		Long cost = budget.maxCost();
		return (calls != null && spending.downstreamCalls() >= calls) || (cost != null && spending.cost() >= cost);
	}

}
