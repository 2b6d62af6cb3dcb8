/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.listener;

import java.util.function.BooleanSupplier;

import io.github.rabbitretry.classify.FailedDelivery;
import io.github.rabbitretry.classify.FailureClassification;
import io.github.rabbitretry.classify.Instruction;
import io.github.rabbitretry.internal.classify.ClassificationChain;
import io.github.rabbitretry.internal.classify.ClassificationResult;
import io.github.rabbitretry.internal.decision.Decider;
import io.github.rabbitretry.internal.handler.DeliveryContext;
import io.github.rabbitretry.internal.handover.Acknowledgement;
import io.github.rabbitretry.internal.outage.CircuitCall;
import org.jspecify.annotations.Nullable;

/**
 * Classifies a delivery's failures, each once.
 */
final class CachedClassification {

	private final Means means;

	private final ManagedQueue queue;

	private final ListenerCall call;

	private final DeliveryContext context;

	private final Acknowledgement acknowledgement;

	private final @Nullable CircuitCall circuitCall;

	private @Nullable Throwable last;

	private @Nullable ClassificationResult what;

	CachedClassification(Means means, ManagedQueue queue, ListenerCall call, DeliveryContext context,
			Acknowledgement acknowledgement, @Nullable CircuitCall circuitCall) {
		this.means = means;
		this.queue = queue;
		this.call = call;
		this.context = context;
		this.acknowledgement = acknowledgement;
		this.circuitCall = circuitCall;
	}

	DeliveryContext context() {
		return this.context;
	}

	Acknowledgement acknowledgement() {
		return this.acknowledgement;
	}

	/** The call as the circuit of its service sees it. */
	@Nullable CircuitCall circuitCall() {
		return this.circuitCall;
	}

	@Nullable Throwable last() {
		return this.last;
	}

	ClassificationResult evaluate(Throwable failure) {
		ClassificationResult known = this.what;
		if (known != null && this.last == failure) {
			return known;
		}
		ClassificationResult found = this.means.classification()
			.evaluate(failure, new FailedDelivery(this.queue.policy().messageType(), this.context.attempt(),
					this.call.message().getMessageProperties()));
		this.last = failure;
		this.what = found;
		return found;
	}

	/**
	 * What is given back again and again would never rest: once is enough. What came with
	 * others can't be given back alone.
	 */
	FailureClassification demanded(FailureClassification found) {
		return (found.instruction() instanceof Instruction.Return
				&& (this.call.redelivered() || this.acknowledgement.isPart()))
						? FailureClassification.instructed(found.failureClass(), found.reason(),
								new Instruction.Retry())
						: found;
	}

	/** Whether the handler is called again at once. */
	boolean againSoon(Throwable failure) {
		if (InfrastructureFailures.asksForAcknowledgement(failure)
				|| InfrastructureFailures.interrupted(failure, this.means.stopping().getAsBoolean())) {
			return false;
		}
		if (this.circuitCall != null && !this.circuitCall.mayRepeat()) {
			return false;
		}
		return this.means.decider()
			.handlesAgainAtOnce(this.queue.policy(), this.context.history(), evaluate(failure).classification())
				&& (this.queue.ratioLimiter() == null || this.queue.ratioLimiter().take());
	}

	/**
	 * What all deliveries of a container are classified with.
	 *
	 * @param classification tells what a failure is
	 * @param decider tells what is done about it
	 * @param stopping whether the container is being stopped
	 */
	record Means(ClassificationChain classification, Decider decider, BooleanSupplier stopping) {
	}

}
