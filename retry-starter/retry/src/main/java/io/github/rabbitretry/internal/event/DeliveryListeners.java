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
import io.github.rabbitretry.internal.logging.RateLimitedLog;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Notifies many listeners, and keeps each one's failures from the others and from the
 * delivery.
 */
public final class DeliveryListeners implements DeliveryListener {

	private static final Log logger = LogFactory.getLog(DeliveryListeners.class);

	private final RateLimitedLog warning = new RateLimitedLog(logger, Duration.ofSeconds(10));

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
		forEach((listener) -> listener.received(messageType));
	}

	@Override
	public void acknowledged(String messageType) {
		forEach((listener) -> listener.acknowledged(messageType));
	}

	@Override
	public void retried(String messageType, String reason, FailureClass failureClass, Duration age) {
		forEach((listener) -> listener.retried(messageType, reason, failureClass, age));
	}

	@Override
	public void postponed(String messageType) {
		forEach((listener) -> listener.postponed(messageType));
	}

	@Override
	public void throttled(String messageType) {
		forEach((listener) -> listener.throttled(messageType));
	}

	@Override
	public void parked(String messageType, String reason, FailureClass failureClass) {
		forEach((listener) -> listener.parked(messageType, reason, failureClass));
	}

	@Override
	public void discarded(String messageType, String reason) {
		forEach((listener) -> listener.discarded(messageType, reason));
	}

	@Override
	public void rejected(String messageType, String reason) {
		forEach((listener) -> listener.rejected(messageType, reason));
	}

	@Override
	public void duplicate(String messageType) {
		forEach((listener) -> listener.duplicate(messageType));
	}

	@Override
	public void returned(String messageType) {
		forEach((listener) -> listener.returned(messageType));
	}

	@Override
	public void deadLettered(String messageType, String reason, FailureClass failureClass) {
		forEach((listener) -> listener.deadLettered(messageType, reason, failureClass));
	}

	@Override
	public void undeliverable(String messageType) {
		forEach((listener) -> listener.undeliverable(messageType));
	}

	@Override
	public void quarantined(String messageType) {
		forEach((listener) -> listener.quarantined(messageType));
	}

	@Override
	public void poisonSuspected(PoisonSignal signal) {
		forEach((listener) -> listener.poisonSuspected(signal));
	}

	@Override
	public void shadowMatched(String messageType, String reason, FailureClass failureClass) {
		forEach((listener) -> listener.shadowMatched(messageType, reason, failureClass));
	}

	@Override
	public void escalated(EscalatedMessage message) {
		forEach((listener) -> listener.escalated(message));
	}

	@Override
	public void outageBegan(Outage outage) {
		forEach((listener) -> listener.outageBegan(outage));
	}

	@Override
	public void outageEnded(Outage outage) {
		forEach((listener) -> listener.outageEnded(outage));
	}

	@Override
	public void handedOver(String messageType, Duration elapsed) {
		forEach((listener) -> listener.handedOver(messageType, elapsed));
	}

	@Override
	public void replayEnded(String messageType, ReplayReference mark, ReplayOutcome outcome) {
		forEach((listener) -> listener.replayEnded(messageType, mark, outcome));
	}

	private void forEach(Consumer<DeliveryListener> event) {
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
