/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.outage;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.function.BooleanSupplier;

import io.github.rabbitretry.classify.FailureClassification;
import io.github.rabbitretry.classify.Reasons;
import io.github.rabbitretry.decision.Decision;
import org.jspecify.annotations.Nullable;

/**
 * A handler call that a circuit let through. Its end is reported once; a call that ends
 * without telling anything about the service is only closed.
 */
public final class CircuitCall implements AutoCloseable {

	private final DependencyCircuit circuit;

	private final Set<String> reasons;

	private final int period;

	private final @Nullable Instant probeBegan;

	private boolean reported;

	private volatile BooleanSupplier held = () -> true;

	CircuitCall(DependencyCircuit circuit, Set<String> reasons, int period, @Nullable Instant probeBegan) {
		this.circuit = circuit;
		this.reasons = reasons;
		this.period = period;
		this.probeBegan = probeBegan;
	}

	/**
	 * Ties the call to its delivery.
	 * @param held whether the delivery can still be settled; asked now and then
	 */
	public void heldWhile(BooleanSupplier held) {
		this.held = held;
	}

	/** Whether the broker has the delivery again: nothing comes of the call. */
	boolean abandoned() {
		return !this.held.getAsBoolean();
	}

	/** In which of the circuit's periods the call began. */
	int period() {
		return this.period;
	}

	boolean probe() {
		return this.probeBegan != null;
	}

	/** How long the probe takes by now. */
	Duration age(Instant now) {
		return (this.probeBegan != null) ? Duration.between(this.probeBegan, now) : Duration.ZERO;
	}

	/**
	 * Whether the handler may be called again at once for the same delivery.
	 * @return {@code false} while the service counts as down, or may still be
	 */
	public boolean mayRepeat() {
		return !probe() && this.circuit.closed();
	}

	/**
	 * Whether no call is let through by now.
	 * @return {@code true} if the listener is about to be paused
	 */
	public boolean pauses() {
		return this.circuit.open();
	}

	/** To be called when the handler succeeded. */
	public void succeeded() {
		this.reported = true;
		this.circuit.succeeded(this);
	}

	/**
	 * To be called when the handler failed. A probe that fails for a reason that is not
	 * one of an outage counts as one that succeeded: most such failures are answers, and
	 * those that never got as far as the service must not keep an outage going. Only
	 * those that time out show that there is no answer, as often as calls are needed to
	 * resume: after that many in a row, something else may be slow.
	 * @param reason why
	 * @return {@code true} if an outage is to blame, which the message is not to pay for
	 */
	public boolean failed(String reason) {
		if (this.reasons.contains(reason)) {
			this.reported = true;
			return this.circuit.failed(this, reason);
		}
		if (probe()) {
			this.reported = true;
			if (reason.equals(Reasons.HANDLER_TIMEOUT)) {
				this.circuit.timedOut(this);
			}
			else {
				this.circuit.succeeded(this);
			}
		}
		return false;
	}

	/**
	 * To be called when the handler failed, and it was decided what becomes of that.
	 * @param failure why
	 * @param decision the decision
	 * @return {@code true} if an outage is to blame, and the message would pay for it
	 * with an attempt, or its last; what the handler asked for is done in any case
	 */
	public boolean failed(FailureClassification failure, Decision decision) {
		if (!failed(failure.reason()) || failure.instruction() != null) {
			return false;
		}
		return decision instanceof Decision.Retry
				|| (decision instanceof Decision.Park park && !park.reason().equals(failure.reason()));
	}

	@Override
	public void close() {
		if (!this.reported && probe()) {
			this.circuit.released(this);
		}
	}

}
