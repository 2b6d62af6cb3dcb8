/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.handler;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.handler.RetryContext;
import io.github.rabbitretry.topology.Usage;

/**
 * The context of a delivery that no policy covers.
 */
public final class UncoveredContext implements RetryContext {

	private final UsageTracker usageTracker = new UsageTracker("none", null, null, Usage.NONE);

	@Override
	public int attempt() {
		return 0;
	}

	@Override
	public int maxAttempts() {
		return 0;
	}

	@Override
	public int localAttempt() {
		return 0;
	}

	@Override
	public int level() {
		return 0;
	}

	@Override
	public Optional<Instant> firstFailureAt() {
		return Optional.empty();
	}

	@Override
	public Duration age() {
		return Duration.ZERO;
	}

	@Override
	public Optional<String> lastReason() {
		return Optional.empty();
	}

	@Override
	public Optional<FailureClass> lastFailureClass() {
		return Optional.empty();
	}

	@Override
	public Usage usage() {
		return this.usageTracker.usage();
	}

	@Override
	public OptionalLong remainingDownstreamCalls() {
		return OptionalLong.empty();
	}

	@Override
	public OptionalLong remainingCost() {
		return OptionalLong.empty();
	}

	@Override
	public void spendDownstreamCalls(long calls) {
		this.usageTracker.spendCalls(calls);
	}

	@Override
	public void spendCost(long units) {
		this.usageTracker.spendCost(units);
	}

	@Override
	public void extendTimeout(Duration more) {
		DeliveryContext.notNegative(more);
	}

}
