/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.simulation;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;

import io.github.rabbitretry.classify.FailureClassification;
import io.github.rabbitretry.decision.Decision;
import io.github.rabbitretry.internal.decision.Decider;
import io.github.rabbitretry.internal.decision.RetryRatioLimiter;
import io.github.rabbitretry.internal.decision.ThrottledDelay;
import io.github.rabbitretry.internal.message.DeliveryHistory;
import io.github.rabbitretry.internal.outage.CircuitCall;
import io.github.rabbitretry.internal.outage.SimulatedDependency;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import org.jspecify.annotations.Nullable;

/**
 * Decides about simulated messages with the classes that decide in a listener.
 */
final class SimulatedConsumer {

	private final MessagePolicy policy;

	private final InstantSource clock;

	private final Decider decider;

	private final @Nullable RetryRatioLimiter limiter;

	private final @Nullable SimulatedDependency dependency;

	SimulatedConsumer(MessagePolicy policy, long seed, InstantSource clock, LongSupplier nanoTime) {
		this.policy = policy;
		this.clock = clock;
		this.decider = new Decider(new SplittableRandom(seed));
		this.limiter = (policy.ratio() != null) ? new RetryRatioLimiter(policy.ratio(), nanoTime) : null;
		this.dependency = (policy.outage() != null)
				? new SimulatedDependency(policy.outage(), policy.messageType(), clock) : null;
	}

	/**
	 * When a paused consumer takes its next message, or {@code null} if none is paused.
	 */
	@Nullable Instant probeAt() {
		return (this.dependency != null) ? this.dependency.probeAt() : null;
	}

	void probe() {
		Objects.requireNonNull(this.dependency, "it is probed").probe();
	}

	/** As paused containers do: not at all, or one message after the other. */
	boolean consumes(int busy, @Nullable Integer consumers) {
		if (this.dependency != null && this.dependency.paused()) {
			return this.dependency.probeAt() == null && busy == 0;
		}
		return consumers == null || busy < consumers;
	}

	/** The decision about a message whose handler is not called, or empty if it is. */
	Optional<Decision> admit(SimulatedMessage message, FailureClassification failure) {
		if (message.attempt == 0 && !message.postponed) {
			if (this.limiter != null) {
				this.limiter.firstDelivery();
			}
			return Optional.empty();
		}
		DeliveryHistory history = withoutOutages(message);
		Optional<Decision> refusal = this.decider.admit(this.policy, history, failure, this.clock.instant());
		if (refusal.isPresent() || this.limiter == null || this.policy.brokerAttempts() == 0 || !history.retried()
				|| this.limiter.take()) {
			return refusal;
		}
		return Optional.of(ThrottledDelay.decide(this.policy, history, this.limiter, failure, this.clock.instant()));
	}

	void begin(SimulatedMessage message) {
		message.localCalls = 0;
		message.circuitCall = (this.dependency != null) ? this.dependency.circuit()
			.tryCall(Objects.requireNonNull(this.policy.outage(), "it has a dependency").reasons()) : null;
	}

	void succeeded(SimulatedMessage message) {
		if (this.limiter != null && message.history().retried()) {
			this.limiter.succeeded();
		}
		if (message.circuitCall != null) {
			message.circuitCall.succeeded();
			message.circuitCall = null;
		}
	}

	/** Whether the handler is called again for the same delivery. */
	boolean repeats(SimulatedMessage message, FailureClassification failure) {
		return message.localCalls < this.policy.localAttempts()
				&& (message.circuitCall == null || message.circuitCall.mayRepeat())
				&& this.decider.handlesAgainAtOnce(this.policy, message.history(), failure)
				&& (this.limiter == null || this.limiter.take());
	}

	/** The decision about a message whose handler has failed. */
	Decision decide(SimulatedMessage message, FailureClassification failure) {
		Decision decision = this.decider.decide(this.policy, withoutOutages(message), failure, this.clock.instant());
		if (message.circuitCall != null && this.dependency != null) {
			try (CircuitCall call = message.circuitCall) {
				message.circuitCall = null;
				if (call.failed(failure, decision)) {
					Duration delay = this.dependency.circuit().delay();
					return new Decision.Postpone(this.clock.instant().plus(delay));
				}
			}
		}
		return decision;
	}

	private DeliveryHistory withoutOutages(SimulatedMessage message) {
		DeliveryHistory history = message.history();
		Instant first = message.firstFailureAt;
		if (first == null || this.dependency == null || this.policy.outage() == null
				|| !this.policy.outage().excludeFromAge()) {
			return history;
		}
		Duration outages = this.dependency.circuit().outagesBetween(first, this.clock.instant());
		return history.firstFailedAt(first.plus(outages));
	}

}
