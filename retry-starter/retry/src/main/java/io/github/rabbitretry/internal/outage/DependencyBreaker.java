/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.outage;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.github.rabbitretry.internal.policy.OutageSettings;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowSynchronizationStrategy;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowType;
import io.github.resilience4j.core.IntervalFunction;

/**
 * Counts the calls of a service. The one place that knows resilience4j.
 */
final class DependencyBreaker {

	/** The breaker has no use for the failure itself. */
	private static final Throwable FAILURE = new IllegalStateException("the service is down");

	private static final double MULTIPLIER = 2;

	private final CircuitBreaker breaker;

	private final IntervalFunction intervals;

	DependencyBreaker(OutageSettings settings) {
		this.intervals = IntervalFunction.ofExponentialBackoff(settings.probeInterval(), MULTIPLIER,
				settings.maxProbeInterval());
		this.breaker = CircuitBreaker.of(settings.dependency(),
				CircuitBreakerConfig.custom()
					.slidingWindow(settings.calls(), settings.calls(), SlidingWindowType.COUNT_BASED,
							SlidingWindowSynchronizationStrategy.LOCK_FREE)
					.failureRateThreshold((float) (100 * settings.failureRate()))
					.permittedNumberOfCallsInHalfOpenState(settings.resumeCalls())
					.build());
	}

	boolean closed() {
		return this.breaker.getState() == CircuitBreaker.State.CLOSED;
	}

	boolean open() {
		return this.breaker.getState() == CircuitBreaker.State.OPEN;
	}

	boolean tryProbe() {
		return this.breaker.tryAcquirePermission();
	}

	void releaseProbe() {
		this.breaker.releasePermission();
	}

	void ended(boolean succeeded) {
		if (succeeded) {
			this.breaker.onSuccess(0, TimeUnit.NANOSECONDS);
		}
		else {
			this.breaker.onError(0, TimeUnit.NANOSECONDS, FAILURE);
		}
	}

	/** Whether no call succeeded before it opened. */
	boolean allFailed() {
		return this.breaker.getMetrics().getNumberOfSuccessfulCalls() == 0;
	}

	void reopen() {
		this.breaker.transitionToOpenState();
	}

	void halfOpen() {
		this.breaker.transitionToHalfOpenState();
	}

	/** How long no probe is made after all failed as often in a row. */
	Duration untilProbe(int failedPeriods) {
		return Duration.ofMillis(this.intervals.apply(failedPeriods + 1));
	}

}
