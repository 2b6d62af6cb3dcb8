/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.listener;

import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;

import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.classify.FailureClassification;
import io.github.rabbitretry.classify.Reasons;
import io.github.rabbitretry.decision.Decision;
import io.github.rabbitretry.internal.decision.Decider;
import io.github.rabbitretry.internal.decision.ThrottledDelay;
import io.github.rabbitretry.internal.handler.DeliveryContext;
import io.github.rabbitretry.internal.handover.Acknowledgement;
import io.github.rabbitretry.internal.handover.Delivery;
import io.github.rabbitretry.internal.message.AppHeaders;
import io.github.rabbitretry.internal.message.DeliveryHistory;
import io.github.rabbitretry.internal.message.HeaderDepth;
import io.github.rabbitretry.internal.message.LastFailure;
import io.github.rabbitretry.internal.message.ReceivedMessage;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import org.jspecify.annotations.Nullable;

/**
 * Decides which deliveries are handled now. Others are too old, too early, too many, or
 * had consumers that died.
 */
final class Admission {

	private static final Decision NESTED_TOO_DEEP = new Decision.Park(Reasons.UNPUBLISHABLE,
			FailureClass.PERMANENT_TECHNICAL, Reasons.UNPUBLISHABLE);

	private final ManagedContainer container;

	private final Decider decider;

	private final DecisionExecutor executor;

	private final AttemptObserver observer;

	private final InstantSource clock;

	Admission(ManagedContainer container, Decider decider, DecisionExecutor executor, AttemptObserver observer,
			InstantSource clock) {
		this.container = container;
		this.decider = decider;
		this.executor = executor;
		this.observer = observer;
		this.clock = clock;
	}

	/**
	 * Whether a message is to be handled now.
	 * @return {@code false} if it was decided about without that
	 */
	boolean admitted(ManagedQueue queue, ListenerCall call, DeliveryContext context, Acknowledgement acknowledgement) {
		ReceivedMessage received = context.received();
		if (HeaderDepth.exceededIn(received.properties().getHeaders())) {
			// the handler would get the message without that header
			this.executor.settle(queue.delivery(context, acknowledgement, null, this.clock.instant()), NESTED_TOO_DEEP);
			this.container.settled();
			return false;
		}
		boolean redelivered = call.redelivered();
		Optional<Decision> crashed = queue.crashLoopDetector().decide(redelivered, received.properties().getHeaders());
		if (crashed.isPresent()) {
			crashed(queue, queue.delivery(context, acknowledgement, null, this.clock.instant()), crashed.get());
			return false;
		}
		if (cameBack(received.properties().getHeaders())) {
			Delivery delivery = queue.delivery(context, acknowledgement, null, this.clock.instant());
			Optional<Decision> refusal = admit(queue, delivery);
			if (refusal.isPresent()) {
				this.executor.settle(delivery, refusal.get());
				this.container.settled();
				return false;
			}
			this.observer.cameBack(queue.policy().messageType(), delivery.history().attempt());
		}
		else if (queue.ratioLimiter() != null && !redelivered) {
			queue.ratioLimiter().firstDelivery();
		}
		return true;
	}

	private void crashed(ManagedQueue queue, Delivery delivery, Decision decision) {
		if (decision instanceof Decision.Park) {
			queue.signals().blamed(delivery.received().properties().getMessageId());
		}
		else {
			queue.signals().crashing();
		}
		this.executor.settle(delivery, decision);
		this.container.settled();
	}

	private Optional<Decision> admit(ManagedQueue queue, Delivery delivery) {
		MessagePolicy policy = queue.policy();
		FailureClassification last = LastFailure.of(delivery.received());
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

}
