/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.pipeline;

import java.time.Duration;
import java.util.Optional;

import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.classify.Instruction;
import io.github.rabbitretry.classify.Reasons;
import io.github.rabbitretry.decision.Decision;
import io.github.rabbitretry.internal.delivery.Delivery;
import io.github.rabbitretry.internal.handover.HandoverCallback;
import io.github.rabbitretry.internal.handover.OutboundMessage;
import io.github.rabbitretry.internal.logging.RateLimitedLog;
import io.github.rabbitretry.internal.policy.ExceptionTexts;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.policy.RejectionTarget;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Begins to hand events of business rejections over.
 */
public final class Rejection {

	private static final Log logger = LogFactory.getLog(Rejection.class);

	private static final RateLimitedLog noTarget = new RateLimitedLog(logger, Duration.ofSeconds(30));

	private static final RateLimitedLog notConverted = new RateLimitedLog(logger, Duration.ofSeconds(30));

	private final RejectionEvents events;

	Rejection(RejectionEvents events) {
		this.events = events;
	}

	/**
	 * Begins.
	 * @param delivery the rejected delivery
	 * @param reject why, and with which event
	 * @param callback the callback to notify
	 * @return {@code null}, or what happens instead if there is no event to publish
	 */
	Decision.@Nullable Park begin(Delivery delivery, Decision.Reject reject, HandoverCallback callback) {
		RejectionTarget target = delivery.policy().rejection();
		if (target == null) {
			return new Decision.Park(reject.reason(), reject.failureClass(), reject.reason());
		}
		OutboundMessage copy;
		try {
			copy = this.events.write(delivery, reject, target);
		}
		catch (Exception | LinkageError | StackOverflowError ex) {
			// its text may quote the event
			notConverted.warn(() -> "The event of a rejected message of '%s' can't be converted (%s); it is parked"
				.formatted(delivery.messageType(), ex.getClass().getName()));
			if (delivery.policy().exceptionTexts() == ExceptionTexts.FULL) {
				logger.debug("An event can't be converted", ex);
			}
			return new Decision.Park(Reasons.EVENT_CONVERSION_FAILED, FailureClass.PERMANENT_TECHNICAL,
					reject.reason());
		}
		Optional<String> problem = delivery.handOver(copy, callback);
		if (problem.isPresent()) {
			notConverted.warn(() -> "The event of a rejected message of '%s' can't be published (%s); it is parked"
				.formatted(delivery.messageType(), problem.get()));
			return new Decision.Park(Reasons.UNPUBLISHABLE, FailureClass.PERMANENT_TECHNICAL, reject.reason());
		}
		return null;
	}

	/**
	 * Says why a message is parked that its handler rejected.
	 * @param policy the message type's policy
	 * @param instruction what the handler asked for
	 */
	public static void warnWithoutTarget(MessagePolicy policy, @Nullable Instruction instruction) {
		if (instruction instanceof Instruction.Reject && policy.rejection() == null) {
			noTarget.warn(
					() -> ("A message of '%s' was rejected by the business, and is parked since no exchange is configured for the event: "
							+ "set rabbit-retry.message-policies.%s.rejection.exchange")
						.formatted(policy.messageType(), policy.messageType()));
		}
	}

}
