/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.handler;

import io.github.rabbitretry.handler.BudgetSpentException;
import io.github.rabbitretry.topology.Usage;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * What is spent on one message, and never more than it may cost.
 */
final class UsageTracker {

	private final String messageType;

	private final @Nullable Long mostCalls;

	private final @Nullable Long mostCost;

	private Usage usage;

	UsageTracker(String messageType, @Nullable Long mostCalls, @Nullable Long mostCost, Usage before) {
		this.messageType = messageType;
		this.mostCalls = mostCalls;
		this.mostCost = mostCost;
		this.usage = before;
	}

	synchronized Usage usage() {
		return this.usage;
	}

	synchronized void spendCalls(long calls) {
		allow("max-downstream-calls", this.mostCalls, this.usage.downstreamCalls(), calls);
		this.usage = this.usage.plus(calls, 0);
	}

	synchronized void spendCost(long units) {
		allow("max-cost", this.mostCost, this.usage.cost(), units);
		this.usage = this.usage.plus(0, units);
	}

	private void allow(String key, @Nullable Long most, long spent, long more) {
		Assert.isTrue(more >= 0, () -> "%s can't be spent, it must be 0 or more".formatted(more));
		if (most != null && more > Math.max(0, most - spent)) {
			throw new BudgetSpentException(key, this.messageType, most, spent, more);
		}
	}

}
