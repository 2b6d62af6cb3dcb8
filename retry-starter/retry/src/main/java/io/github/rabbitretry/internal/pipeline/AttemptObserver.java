/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.pipeline;

import java.util.Collection;
import java.util.List;

import io.github.rabbitretry.decision.Decision;
import io.github.rabbitretry.internal.delivery.Delivery;

import org.springframework.amqp.core.Message;

/**
 * Called about a delivery on its listener's thread, while what observes the delivery is
 * current there: tracing. Never called for a message that succeeds at its first delivery.
 */
public interface AttemptObserver {

	/** Observes nothing. */
	AttemptObserver NONE = new AttemptObserver() {
	};

	/**
	 * A message is handled by another thread than its container's.
	 * @param message the message as the handler gets it
	 * @param listener its listener, which is observed
	 * @param handling what to observe
	 */
	default void handled(Message message, ObservedListener listener, Runnable handling) {
		handling.run();
	}

	/**
	 * Names the headers that the container reads as texts before the advice runs. One of
	 * another type would end the consumer.
	 * @return their names
	 */
	default Collection<String> textHeaders() {
		return List.of();
	}

	/**
	 * A message came back, and its handler will be called.
	 * @param messageType the policy's name
	 * @param attempt broker attempts made, this one included
	 */
	default void cameBack(String messageType, int attempt) {
	}

	/**
	 * The handler failed, and is called again for the same delivery.
	 * @param reason why it failed
	 */
	default void repeated(String reason) {
	}

	/**
	 * A delivery was not handled, or its handler failed.
	 * @param delivery the delivery
	 * @param decision what is done about it
	 */
	default void decided(Delivery delivery, Decision decision) {
	}

	/**
	 * The message had been handled before, and its handler was not called.
	 * @param messageType the policy's name
	 */
	default void duplicate(String messageType) {
	}

}
