/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.pipeline;

import java.util.function.BiPredicate;

import io.github.rabbitretry.classify.FailureClassification;
import io.github.rabbitretry.internal.container.ManagedQueue;
import io.github.rabbitretry.internal.handler.DeliveryContext;
import io.github.rabbitretry.internal.invocation.InfrastructureFailures;
import io.github.rabbitretry.internal.message.LogText;
import io.github.rabbitretry.internal.outage.CircuitCall;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Calls the handler, and again at once where that may help. A success ends the delivery
 * here; a failure is passed on.
 */
final class CallStage implements Stage {

	private static final Log logger = LogFactory.getLog(RetryAdvice.class);

	private final ManagedQueue queue;

	private final StageContext context;

	private final Stage next;

	private final BiPredicate<ListenerDelivery, Throwable> again = this::again;

	CallStage(ManagedQueue queue, StageContext context, Stage next) {
		this.queue = queue;
		this.context = context;
		this.next = next;
	}

	@Override
	public void handle(ListenerDelivery delivery) {
		DeliveryContext before = DeliveryContext.bind(delivery.context());
		try {
			delivery.attempts().make(this.queue.localRetry(), delivery, this.again);
			this.context.container().clearInterrupt();
		}
		catch (Throwable failure) {
			this.context.container().clearInterrupt();
			failed(delivery, failure);
			return;
		}
		finally {
			DeliveryContext.bind(before);
		}
		if (delivery.call().duplicate()) {
			duplicate(delivery);
			return;
		}
		this.context.completion().succeeded(delivery);
		answered(delivery.circuitCall());
	}

	private static void answered(@Nullable CircuitCall call) {
		if (call != null) {
			call.succeeded();
		}
	}

	/** Settled like the delivery that was handled. */
	private void duplicate(ListenerDelivery delivery) {
		String type = delivery.messageType();
		this.context.services().observer().duplicate(type);
		if (logger.isDebugEnabled()) {
			logger.debug("A message of '%s' was handled before and is acknowledged: %s".formatted(type,
					LogText.of(delivery.received().properties().getMessageId())));
		}
		this.context.services().events().duplicate(type);
		this.context.completion().acknowledge(delivery);
	}

	private void failed(ListenerDelivery delivery, Throwable failure) {
		if (InfrastructureFailures.asksForAcknowledgement(failure)) {
			this.context.completion().acknowledge(delivery);
			answered(delivery.circuitCall());
		}
		else if (InfrastructureFailures.interrupted(failure, this.context.container().stopping())) {
			this.context.completion().giveBack(delivery);
		}
		else {
			this.next.handle(delivery.decideNow(InfrastructureFailures.ofHandler(failure, delivery.lastFailure())));
		}
	}

	/** Whether the handler is called again at once. */
	private boolean again(ListenerDelivery delivery, Throwable failure) {
		this.context.container().clearInterrupt();
		// what the broker has again is handled where it is delivered next
		if (!delivery.acknowledgement().open() || InfrastructureFailures.asksForAcknowledgement(failure)
				|| InfrastructureFailures.interrupted(failure, this.context.container().stopping())) {
			return false;
		}
		CircuitCall call = delivery.circuitCall();
		if (call != null && !call.mayRepeat()) {
			return false;
		}
		FailureClassification found = delivery.classify(this.context.services().classification(), failure)
			.classification();
		boolean again = this.context.services()
			.decider()
			.handlesAgainAtOnce(this.queue.policy(), delivery.context().history(), found)
				&& (this.queue.ratioLimiter() == null || this.queue.ratioLimiter().take());
		if (again) {
			this.context.services().observer().repeated(found.reason());
		}
		return again;
	}

}
