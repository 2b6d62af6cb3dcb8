/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.event;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.event.DeliveryListener;
import io.github.rabbitretry.event.EscalatedMessage;
import io.github.rabbitretry.event.PoisonSignal;
import io.github.rabbitretry.event.ReplayOutcome;
import io.github.rabbitretry.event.ReplayReference;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Tells many listeners, and keeps each one's failures from the others and from the
 * delivery.
 */
public final class DeliveryListeners implements DeliveryListener {

	private static final Log logger = LogFactory.getLog(DeliveryListeners.class);

	private final OccasionalWarning warning = new OccasionalWarning(logger, Duration.ofSeconds(10));

	private final DeliveryListener[] listeners;

	/**
	 * Creates the composite.
	 * @param listeners the listeners to notify, in this order
	 */
	public DeliveryListeners(List<DeliveryListener> listeners) {
		this.listeners = listeners.toArray(DeliveryListener[]::new);
	}

	@Override
	public void received(String messageType) {
		tell((listener) -> listener.received(messageType));
	}

	@Override
	public void acknowledged(String messageType) {
		tell((listener) -> listener.acknowledged(messageType));
	}

	@Override
	public void retried(String messageType, String reason, FailureClass failureClass, Duration age) {
		tell((listener) -> listener.retried(messageType, reason, failureClass, age));
	}

	@Override
	public void postponed(String messageType) {
		tell((listener) -> listener.postponed(messageType));
	}

	@Override
	public void throttled(String messageType) {
		tell((listener) -> listener.throttled(messageType));
	}

	@Override
	public void parked(String messageType, String reason, FailureClass failureClass) {
		tell((listener) -> listener.parked(messageType, reason, failureClass));
	}

	@Override
	public void discarded(String messageType, String reason) {
		tell((listener) -> listener.discarded(messageType, reason));
	}

	@Override
	public void rejected(String messageType, String reason) {
		tell((listener) -> listener.rejected(messageType, reason));
	}

	@Override
	public void duplicate(String messageType) {
		tell((listener) -> listener.duplicate(messageType));
	}

	@Override
	public void returned(String messageType) {
		tell((listener) -> listener.returned(messageType));
	}

	@Override
	public void deadLettered(String messageType, String reason, FailureClass failureClass) {
		tell((listener) -> listener.deadLettered(messageType, reason, failureClass));
	}

	@Override
	public void undeliverable(String messageType) {
		tell((listener) -> listener.undeliverable(messageType));
	}

	@Override
	public void quarantined(String messageType) {
		tell((listener) -> listener.quarantined(messageType));
	}

	@Override
	public void poisonSuspected(PoisonSignal signal) {
		tell((listener) -> listener.poisonSuspected(signal));
	}

	@Override
	public void shadowMatched(String messageType, String reason, FailureClass failureClass) {
		tell((listener) -> listener.shadowMatched(messageType, reason, failureClass));
	}

	@Override
	public void escalated(EscalatedMessage message) {
		tell((listener) -> listener.escalated(message));
	}

	@Override
	public void outageBegan(Outage outage) {
		tell((listener) -> listener.outageBegan(outage));
	}

	@Override
	public void outageEnded(Outage outage) {
		tell((listener) -> listener.outageEnded(outage));
	}

	@Override
	public void handedOver(String messageType, Duration elapsed) {
		tell((listener) -> listener.handedOver(messageType, elapsed));
	}

	@Override
	public void replayEnded(String messageType, ReplayReference mark, ReplayOutcome outcome) {
		tell((listener) -> listener.replayEnded(messageType, mark, outcome));
	}

	private void tell(Consumer<DeliveryListener> event) {
		for (DeliveryListener listener : this.listeners) {
			try {
				event.accept(listener);
			}
			catch (Throwable ex) {
				this.warning.warn(() -> "Delivery listener %s failed: %s".formatted(listener.getClass().getName(), ex));
				logger.debug("A delivery listener failed", ex);
			}
		}
	}

}
