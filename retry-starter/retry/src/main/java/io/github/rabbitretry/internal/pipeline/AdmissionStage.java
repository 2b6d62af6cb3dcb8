/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.pipeline;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.classify.FailureClassification;
import io.github.rabbitretry.classify.Reasons;
import io.github.rabbitretry.decision.Decision;
import io.github.rabbitretry.internal.container.ManagedQueue;
import io.github.rabbitretry.internal.decision.ThrottledDelay;
import io.github.rabbitretry.internal.logging.RateLimitedLog;
import io.github.rabbitretry.internal.message.AppHeaders;
import io.github.rabbitretry.internal.message.DeliveryHistory;
import io.github.rabbitretry.internal.message.HeaderDepth;
import io.github.rabbitretry.internal.message.LastFailure;
import io.github.rabbitretry.internal.message.LogText;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Decides which deliveries are handled now. Others are too old, too early, too many, or
 * had consumers that died.
 */
record AdmissionStage(ManagedQueue queue, StageContext context, Stage next) implements Stage {

	private static final RateLimitedLog crashes = new RateLimitedLog(LogFactory.getLog(AdmissionStage.class),
			Duration.ofMinutes(1));

	private static final Decision NESTED_TOO_DEEP = new Decision.Park(Reasons.UNPUBLISHABLE,
			FailureClass.PERMANENT_TECHNICAL, Reasons.UNPUBLISHABLE);

	@Override
	public void handle(ListenerDelivery delivery) {
		if (admits(delivery)) {
			this.next.handle(delivery);
		}
	}

	/**
	 * Whether a message is to be handled now.
	 * @return {@code false} if it was decided about without that
	 */
	boolean admits(ListenerDelivery delivery) {
		Map<String, Object> headers = delivery.received().properties().getHeaders();
		if (HeaderDepth.exceededIn(headers)) {
			// the handler would get the message without that header
			this.context.completion().settle(delivery.decideNow(null), NESTED_TOO_DEEP);
			return false;
		}
		boolean redelivered = delivery.call().redelivered();
		Optional<Decision> crashed = this.queue.crashLoopDetector().decide(redelivered, headers);
		if (crashed.isPresent()) {
			crashed(delivery.decideNow(null), crashed.get());
			return false;
		}
		if (cameBack(headers)) {
			Optional<Decision> refusal = refusal(delivery.decideNow(null));
			if (refusal.isPresent()) {
				this.context.completion().settle(delivery, refusal.get());
				return false;
			}
			this.context.services().observer().cameBack(delivery.messageType(), delivery.history().attempt());
		}
		else if (this.queue.ratioLimiter() != null && !redelivered) {
			this.queue.ratioLimiter().firstDelivery();
		}
		return true;
	}

	private void crashed(ListenerDelivery delivery, Decision decision) {
		if (decision instanceof Decision.Quarantine) {
			crashes.warn(() -> ("Consumers of '%s' die; the messages that they held, such as %s, are handled one at a "
					+ "time in quarantine")
				.formatted(delivery.messageType(),
						LogText.of(String.valueOf(delivery.received().properties().getMessageId()))));
		}
		this.context.completion().settle(delivery, decision);
	}

	private Optional<Decision> refusal(ListenerDelivery delivery) {
		MessagePolicy policy = this.queue.policy();
		FailureClassification last = LastFailure.of(delivery.received());
		DeliveryHistory history = this.queue.withoutOutages(delivery);
		Optional<Decision> refusal = this.context.services().decider().admit(policy, history, last, delivery.now());
		if (refusal.isPresent() || this.queue.ratioLimiter() == null || policy.brokerAttempts() == 0
				|| !delivery.history().retried() || this.queue.ratioLimiter().take()) {
			return refusal;
		}
		return Optional.of(ThrottledDelay.decide(policy, history, this.queue.ratioLimiter(), last, delivery.now()));
	}

	private static boolean cameBack(@Nullable Map<String, Object> headers) {
		return headers != null && !headers.isEmpty()
				&& (headers.containsKey(AppHeaders.RETRY_ATTEMPT) || headers.containsKey(AppHeaders.RETRY_NOT_BEFORE));
	}

}
