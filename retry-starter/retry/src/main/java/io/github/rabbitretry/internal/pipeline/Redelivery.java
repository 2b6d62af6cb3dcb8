/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.pipeline;

import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;

import io.github.rabbitretry.internal.delivery.Delivery;

/**
 * How messages that were not handled come to their handler again: through the retry
 * queues, or in order, without leaving their queue.
 */
public interface Redelivery {

	/**
	 * Has a delivery handled in order, by another thread.
	 * @param delivery the delivery
	 * @param handling handles it, once it is its turn
	 * @return {@code false} if order is not kept, and nothing was done
	 */
	default boolean handlesInOrder(ListenerDelivery delivery, Consumer<ListenerDelivery> handling) {
		return false;
	}

	/**
	 * Has a message wait for its next delivery.
	 * @param delivery the delivery
	 * @param delay how long the message waits
	 * @param headers the headers that its next delivery has
	 * @param callback the callback to notify
	 * @return {@code false} if there is no room for the headers or the message can't be
	 * published as it is, so that nothing was begun
	 */
	boolean begin(Delivery delivery, Duration delay, Map<String, Object> headers, ConfirmCallback callback);

	/**
	 * Whether consuming ends at a message that would be parked.
	 * @return {@code false} if it is parked
	 */
	default boolean blocks() {
		return false;
	}

	/**
	 * Ends consuming at a message that would be parked. Called while it is handled.
	 * @param delivery the delivery
	 * @param reason why it would be parked
	 */
	default void block(Delivery delivery, String reason) {
		throw new IllegalStateException("messages of '%s' are parked".formatted(delivery.messageType()));
	}

	/** Gives a delivery back to its queue, or has it handled again from there. */
	void giveBack(Delivery delivery);

	/**
	 * What becomes of a delivery that could not be settled as it was decided.
	 * @param delivery the delivery
	 * @param redelivered whether the broker delivered it again
	 * @return what to do
	 */
	Fallback whenNotSettled(Delivery delivery, boolean redelivered);

	/** To be called when the hand-over of a delivery has ended. */
	default void handoverEnded() {
	}

	/** The end of a delivery that could not be settled as it was decided. */
	enum Fallback {

		GIVE_BACK("given back"), PARK("parked"), DEAD_LETTER("dead-lettered");

		private final String description;

		Fallback(String description) {
			this.description = description;
		}

		public String description() {
			return this.description;
		}

	}

}
