/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.listener;

import java.util.Objects;

import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.classify.FailureClassification;
import io.github.rabbitretry.classify.Reasons;
import io.github.rabbitretry.decision.Decision;
import io.github.rabbitretry.event.DeliveryListener;
import io.github.rabbitretry.internal.classify.ClassificationChain;
import io.github.rabbitretry.internal.classify.ClassificationResult;
import io.github.rabbitretry.internal.classify.ClassificationStep;
import io.github.rabbitretry.internal.classify.FailureFingerprint;
import io.github.rabbitretry.internal.decision.Decider;
import io.github.rabbitretry.internal.handover.Delivery;
import io.github.rabbitretry.internal.logging.BestEffortLog;
import io.github.rabbitretry.internal.outage.CircuitCall;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Decides what becomes of a message whose handler failed.
 */
final class FailureDecisions {

	/** Of a failure that nothing is known about. */
	static final Decision UNKNOWN = new Decision.Park(Reasons.UNKNOWN_FAILURE, FailureClass.UNKNOWN,
			Reasons.UNKNOWN_FAILURE);

	private static final Log logger = LogFactory.getLog(FailureDecisions.class);

	private final ManagedContainer container;

	private final ClassificationChain classification;

	private final Decider decider;

	private final DeliveryListener events;

	FailureDecisions(ManagedContainer container, ClassificationChain classification, Decider decider,
			DeliveryListener events) {
		this.container = container;
		this.classification = classification;
		this.decider = decider;
		this.events = events;
	}

	/** Whatever is wrong with a failure, the message is kept. */
	Decision decide(ManagedQueue queue, Delivery delivery, Throwable cause, CachedClassification classification) {
		MessagePolicy policy = queue.policy();
		try {
			ClassificationResult result = classification.evaluate(cause);
			tell(policy, result);
			FailureClassification what = classification.demanded(result.classification());
			Decision decision = this.decider.decide(policy, queue.withoutOutages(delivery), what, delivery.now());
			if (caughtInOutage(classification.circuitCall(), what, decision)) {
				this.container.cancelBeforePause(delivery.acknowledgement());
				return queue.untilProbe(delivery);
			}
			if (decision instanceof Decision.Retry || decision instanceof Decision.Park) {
				queue.signals()
					.failed(() -> FailureFingerprint.of(cause, policy.messageType()),
							delivery.received().properties().getHeaders());
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
	 * Tells the circuit of a failure, and whether an outage is to blame where the message
	 * would pay for it with an attempt, or its last. What somebody asked for is done.
	 */
	private static boolean caughtInOutage(@Nullable CircuitCall call, FailureClassification what, Decision decision) {
		if (call == null || !call.failed(what.reason()) || what.instruction() != null) {
			return false;
		}
		return decision instanceof Decision.Retry
				|| (decision instanceof Decision.Park park && !park.reason().equals(what.reason()));
	}

	private void tell(MessagePolicy policy, ClassificationResult result) {
		this.classification.count(result);
		for (ClassificationStep shadow : result.shadows()) {
			FailureClassification would = Objects.requireNonNull(shadow.classification(), "every shadow has one");
			this.events.shadowMatched(policy.messageType(), would.reason(), would.failureClass());
		}
	}

}
