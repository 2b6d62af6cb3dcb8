/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.pipeline;

import java.util.Objects;

import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.classify.FailureClassification;
import io.github.rabbitretry.classify.Instruction;
import io.github.rabbitretry.classify.Reasons;
import io.github.rabbitretry.decision.Decision;
import io.github.rabbitretry.internal.classify.ClassificationResult;
import io.github.rabbitretry.internal.classify.ClassificationStep;
import io.github.rabbitretry.internal.container.ManagedQueue;
import io.github.rabbitretry.internal.logging.BestEffortLog;
import io.github.rabbitretry.internal.outage.CircuitCall;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Decides what becomes of a message whose handler failed, and has that carried out.
 */
record DecisionStage(ManagedQueue queue, StageContext context) implements Stage {

	/** Of a failure that nothing is known about. */
	static final Decision UNKNOWN = new Decision.Park(Reasons.UNKNOWN_FAILURE, FailureClass.UNKNOWN,
			Reasons.UNKNOWN_FAILURE);

	private static final Log logger = LogFactory.getLog(DecisionStage.class);

	@Override
	public void handle(ListenerDelivery delivery) {
		this.context.completion().settle(delivery, decide(delivery));
	}

	/** Whatever is wrong with a failure, the message is kept. */
	private Decision decide(ListenerDelivery delivery) {
		MessagePolicy policy = this.queue.policy();
		try {
			Throwable cause = Objects.requireNonNull(delivery.failure(), "its handler failed");
			ClassificationResult result = delivery.classify(this.context.services().classification(), cause);
			report(policy, result);
			FailureClassification what = returnedOnce(delivery, result.classification());
			Decision decision = this.context.services()
				.decider()
				.decide(policy, this.queue.withoutOutages(delivery), what, delivery.now());
			CircuitCall call = delivery.circuitCall();
			if (call != null && caughtInOutage(call, what, decision)) {
				if (call.pauses()) {
					this.context.container().cancelBeforePause(delivery.acknowledgement());
				}
				return this.queue.untilProbe(delivery);
			}
			Rejection.warnWithoutTarget(policy, what.instruction());
			return decision;
		}
		catch (RuntimeException ex) {
			BestEffortLog.error(logger, "What to do about a failure of '%s' could not be decided, and it is parked"
				.formatted(policy.messageType()), ex);
			return UNKNOWN;
		}
	}

	/**
	 * What is given back again and again would never rest: once is enough. What came with
	 * others can't be given back alone.
	 */
	private static FailureClassification returnedOnce(ListenerDelivery delivery, FailureClassification found) {
		return (found.instruction() instanceof Instruction.Return
				&& (delivery.call().redelivered() || delivery.acknowledgement().isPart()))
						? FailureClassification.instructed(found.failureClass(), found.reason(),
								new Instruction.Retry())
						: found;
	}

	/**
	 * Tells the circuit of a failure, and whether an outage is to blame where the message
	 * would pay for it with an attempt, or its last. What was asked for is done.
	 */
	private static boolean caughtInOutage(CircuitCall call, FailureClassification what, Decision decision) {
		if (!call.failed(what.reason()) || what.instruction() != null) {
			return false;
		}
		return decision instanceof Decision.Retry
				|| (decision instanceof Decision.Park park && !park.reason().equals(what.reason()));
	}

	private void report(MessagePolicy policy, ClassificationResult result) {
		this.context.services().classification().count(result);
		for (ClassificationStep shadow : result.shadows()) {
			FailureClassification would = Objects.requireNonNull(shadow.classification(), "every shadow has one");
			this.context.services().events().shadowMatched(policy.messageType(), would.reason(), would.failureClass());
		}
	}

}
