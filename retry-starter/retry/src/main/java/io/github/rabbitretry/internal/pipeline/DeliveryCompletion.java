/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.pipeline;

import java.util.function.BooleanSupplier;

import io.github.rabbitretry.decision.Decision;
import io.github.rabbitretry.event.DeliveryListener;
import io.github.rabbitretry.event.ReplayReference;
import io.github.rabbitretry.internal.container.ManagedQueue;
import io.github.rabbitretry.internal.logging.BestEffortLog;
import io.github.rabbitretry.internal.message.LogText;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Settles the deliveries of a container, and counts how each of them ended.
 */
final class DeliveryCompletion {

	private static final Log logger = LogFactory.getLog(RetryAdvice.class);

	private final DecisionExecutor executor;

	private final DeliveryListener events;

	DeliveryCompletion(DecisionExecutor executor) {
		this.executor = executor;
		this.events = executor.events();
	}

	/** How messages come back. */
	Redelivery redelivery() {
		return this.executor.redelivery();
	}

	/**
	 * Does something with a delivery, which is settled whatever goes wrong.
	 * @param action what to do
	 * @param otherwise the result if it fails
	 */
	boolean guarded(ListenerDelivery delivery, BooleanSupplier action, boolean otherwise) {
		try {
			return action.getAsBoolean();
		}
		catch (Throwable ex) {
			settlementFailed(delivery, ex);
			return otherwise;
		}
	}

	/** Does something with a delivery, which is settled whatever goes wrong. */
	void guarded(ListenerDelivery delivery, Runnable action) {
		guarded(delivery, () -> {
			action.run();
			return true;
		}, false);
	}

	/** Counts it as received, and in flight until its outcome is known. */
	void received(ListenerDelivery delivery) {
		delivery.acknowledgement().received(delivery.publisher().inFlight());
		this.events.received(delivery.messageType());
	}

	/** The broker has it again, or will have. */
	void returned(ListenerDelivery delivery) {
		delivery.acknowledgement().released();
		this.events.returned(delivery.messageType());
	}

	void giveBack(ListenerDelivery delivery) {
		delivery.acknowledgement().giveBack();
		returned(delivery);
	}

	void succeeded(ListenerDelivery delivery) {
		ManagedQueue queue = delivery.queue();
		if (queue.ratioLimiter() != null && delivery.context().history().retried()) {
			queue.ratioLimiter().succeeded();
		}
		acknowledge(delivery);
	}

	void acknowledge(ListenerDelivery delivery) {
		if (delivery.acknowledgement().acknowledge()) {
			this.events.acknowledged(delivery.messageType());
			this.executor.reportReplay(delivery, ReplayReference.Outcome.SUCCEEDED);
		}
		else {
			this.events.returned(delivery.messageType());
		}
	}

	/** Settled like the delivery that was handled. */
	void duplicate(ListenerDelivery delivery) {
		// it was handled, so that no failure below may park it
		acknowledge(delivery);
		String type = delivery.messageType();
		this.executor.observer().duplicate(type);
		if (logger.isDebugEnabled()) {
			logger.debug("A message of '%s' was handled before and is acknowledged: %s".formatted(type,
					LogText.of(delivery.received().properties().getMessageId())));
		}
		this.events.duplicate(type);
	}

	/** To be called by the listener's thread. */
	void settle(ListenerDelivery delivery, Decision decision) {
		this.executor.settle(delivery, decision);
	}

	/** A defect of ours. */
	void settlementFailed(ListenerDelivery delivery, Throwable failure) {
		String type = delivery.messageType();
		if (delivery.acknowledgement().begun()) {
			// parked too, it would be there twice
			BestEffortLog.error(logger,
					"A delivery of '%s' is settled, or being so, but something failed after that".formatted(type),
					failure);
			return;
		}
		Redelivery.Fallback fallback = this.executor.redelivery().whenNotSettled(delivery, delivery.redelivered());
		BestEffortLog.error(logger,
				"A delivery of '%s' could not be settled and is %s".formatted(type, fallback.description()), failure);
		if (fallback == Redelivery.Fallback.PARK) {
			park(delivery);
		}
		else if (fallback == Redelivery.Fallback.GIVE_BACK) {
			giveBack(delivery);
		}
		else {
			delivery.acknowledgement().reject();
			returned(delivery);
		}
	}

	private void park(ListenerDelivery delivery) {
		try {
			settle(delivery.freeze(null), DeliveryDecider.UNKNOWN);
		}
		catch (Throwable again) {
			BestEffortLog.error(logger, "A delivery of '%s' could not be parked".formatted(delivery.messageType()),
					again);
			if (!delivery.acknowledgement().begun()) {
				giveBack(delivery);
			}
		}
	}

}
