/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.pipeline;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.classify.FailureClassification;
import io.github.rabbitretry.classify.Instruction;
import io.github.rabbitretry.classify.Reasons;
import io.github.rabbitretry.decision.Decision;
import io.github.rabbitretry.event.DeliveryListener;
import io.github.rabbitretry.internal.classify.ClassificationChain;
import io.github.rabbitretry.internal.classify.ClassificationResult;
import io.github.rabbitretry.internal.classify.ClassificationStep;
import io.github.rabbitretry.internal.container.ManagedQueue;
import io.github.rabbitretry.internal.decision.Decider;
import io.github.rabbitretry.internal.decision.ThrottledDelay;
import io.github.rabbitretry.internal.logging.BestEffortLog;
import io.github.rabbitretry.internal.logging.RateLimitedLog;
import io.github.rabbitretry.internal.message.AppHeaders;
import io.github.rabbitretry.internal.message.DeliveryHistory;
import io.github.rabbitretry.internal.message.HeaderDepth;
import io.github.rabbitretry.internal.message.LogText;
import io.github.rabbitretry.internal.outage.CircuitCall;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Decides about deliveries: which are handled now, when the handler is called again, and
 * what becomes of a failure.
 */
public final class DeliveryDecider {

	/** Of a failure that nothing is known about. */
	static final Decision UNKNOWN = new Decision.Park(Reasons.UNKNOWN_FAILURE, FailureClass.UNKNOWN,
			Reasons.UNKNOWN_FAILURE);

	private static final Decision NESTED_TOO_DEEP = new Decision.Park(Reasons.UNPUBLISHABLE,
			FailureClass.PERMANENT_TECHNICAL, Reasons.UNPUBLISHABLE);

	private static final Log logger = LogFactory.getLog(DeliveryDecider.class);

	private static final RateLimitedLog crashes = new RateLimitedLog(logger, Duration.ofMinutes(1));

	private final ClassificationChain classification;

	private final Decider decider;

	private final DeliveryListener events;

	private final AttemptObserver observer;

	private final InstantSource clock;

	/**
	 * Creates a decider.
	 * @param classification says what failures are
	 * @param decider says what to do about them
	 * @param events the listener to notify
	 * @param observer the observer to notify
	 * @param clock what time it is
	 */
	public DeliveryDecider(ClassificationChain classification, Decider decider, DeliveryListener events,
			AttemptObserver observer, InstantSource clock) {
		this.classification = classification;
		this.decider = decider;
		this.events = events;
		this.observer = observer;
		this.clock = clock;
	}

	InstantSource clock() {
		return this.clock;
	}

	/**
	 * Decides whether a delivery is handled now. Others are too old, too early, too many,
	 * or had consumers that died.
	 * @param delivery the delivery
	 * @return what is done instead, or empty if it is handled
	 */
	Optional<Decision> admit(ListenerDelivery delivery) {
		ManagedQueue queue = delivery.queue();
		Map<String, Object> headers = delivery.received().properties().getHeaders();
		if (HeaderDepth.exceededIn(headers)) {
			// the handler would get the message without that header
			delivery.freeze(null);
			return Optional.of(NESTED_TOO_DEEP);
		}
		boolean redelivered = delivery.call().redelivered();
		Optional<Decision> crashed = queue.crashLoopDetector().decide(redelivered, headers);
		if (crashed.isPresent()) {
			warnOfCrashes(delivery.freeze(null), crashed.get());
			return crashed;
		}
		if (cameBack(headers)) {
			Optional<Decision> refusal = refusal(delivery.freeze(null));
			if (refusal.isEmpty()) {
				this.observer.cameBack(delivery.messageType(), delivery.history().attempt());
			}
			return refusal;
		}
		if (queue.ratioLimiter() != null && !redelivered) {
			queue.ratioLimiter().firstDelivery();
		}
		return Optional.empty();
	}

	private static void warnOfCrashes(ListenerDelivery delivery, Decision decision) {
		if (decision instanceof Decision.Quarantine) {
			crashes.warn(() -> ("Consumers of '%s' die; the messages that they held, such as %s, are handled one at a "
					+ "time in quarantine")
				.formatted(delivery.messageType(),
						LogText.of(String.valueOf(delivery.received().properties().getMessageId()))));
		}
	}

	private Optional<Decision> refusal(ListenerDelivery delivery) {
		ManagedQueue queue = delivery.queue();
		MessagePolicy policy = queue.policy();
		FailureClassification last = delivery.received().lastFailure();
		DeliveryHistory history = queue.withoutOutages(delivery);
		Optional<Decision> refusal = this.decider.admit(policy, history, last, delivery.now());
		if (refusal.isPresent() || queue.ratioLimiter() == null || policy.brokerAttempts() == 0
				|| !delivery.history().retried() || queue.ratioLimiter().take()) {
			return refusal;
		}
		return Optional.of(ThrottledDelay.decide(policy, history, queue.ratioLimiter(), last, delivery.now()));
	}

	private static boolean cameBack(@Nullable Map<String, Object> headers) {
		return headers != null && !headers.isEmpty()
				&& (headers.containsKey(AppHeaders.RETRY_ATTEMPT) || headers.containsKey(AppHeaders.RETRY_NOT_BEFORE));
	}

	/** Whether the handler is called again at once. */
	boolean callsAgain(ListenerDelivery delivery, Throwable failure) {
		CircuitCall call = delivery.circuitCall();
		if (call != null && !call.mayRepeat()) {
			return false;
		}
		ManagedQueue queue = delivery.queue();
		FailureClassification found = delivery.classify(this.classification, failure).classification();
		boolean again = this.decider.handlesAgainAtOnce(queue.policy(), delivery.context().history(), found)
				&& (queue.ratioLimiter() == null || queue.ratioLimiter().take());
		if (again) {
			this.observer.repeated(found.reason());
		}
		return again;
	}

	/** Whatever is wrong with a failure, the message is kept. */
	Decision decide(ListenerDelivery delivery) {
		MessagePolicy policy = delivery.policy();
		try {
			Throwable cause = Objects.requireNonNull(delivery.failure(), "its handler failed");
			ClassificationResult result = delivery.classify(this.classification, cause);
			report(policy, result);
			FailureClassification what = returnedOnce(delivery, result.classification());
			Decision decision = this.decider.decide(policy, delivery.queue().withoutOutages(delivery), what,
					delivery.now());
			CircuitCall call = delivery.circuitCall();
			if (call != null && call.failed(what, decision)) {
				return delivery.queue().untilProbe(delivery);
			}
			RejectionEvents.warnWithoutTarget(policy, what.instruction());
			return decision;
		}
		catch (RuntimeException ex) {
			BestEffortLog.error(logger, "What to do about a failure of '%s' could not be decided, and it is parked"
				.formatted(policy.messageType()), ex);
			return UNKNOWN;
		}
	}

	/**
	 * Return a message at most once; after that, retry it. A message of a batch can't be
	 * returned on its own.
	 */
	private static FailureClassification returnedOnce(ListenerDelivery delivery, FailureClassification found) {
		return (found.instruction() instanceof Instruction.Return
				&& (delivery.call().redelivered() || delivery.acknowledgement().isPart()))
						? FailureClassification.instructed(found.failureClass(), found.reason(),
								new Instruction.Retry())
						: found;
	}

	private void report(MessagePolicy policy, ClassificationResult result) {
		this.classification.count(result);
		for (ClassificationStep shadow : result.shadows()) {
			FailureClassification would = Objects.requireNonNull(shadow.classification(), "every shadow has one");
			this.events.shadowMatched(policy.messageType(), would.reason(), would.failureClass());
		}
	}

}
