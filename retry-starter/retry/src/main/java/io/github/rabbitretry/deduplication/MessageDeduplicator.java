/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.deduplication;

/**
 * Remembers which messages were handled, so that one that is delivered again is not
 * handled again. A policy uses one if its {@code deduplication.store} says so; a bean of
 * this type is used by policies with {@code deduplication.store: bean}.
 * <p>
 * A message that was handled and comes again is acknowledged, and
 * {@link io.github.rabbitretry.event.DeliveryListener#duplicate} is told. Messages
 * without a message id are always handled, and no deduplicator is asked. Implementations
 * are called by several threads at a time.
 */
public interface MessageDeduplicator {

	/**
	 * Calls the handler, unless the message was handled before. Called once for each
	 * local attempt, on the listener's thread.
	 * <p>
	 * The message counts as handled from the moment that the handler returns. If the
	 * handler throws, nothing may be remembered: the message will be delivered again, and
	 * has to be handled then. The one exception are failures that end the message, such
	 * as {@link io.github.rabbitretry.handler.DiscardMessageException}, which may be
	 * remembered. While another thread or process handles the same message, this method
	 * waits for how that ends, or throws an exception, for which the message is retried
	 * like for one of the handler.
	 * @param queue the policy's work queue: each queue has messages of its own, even if
	 * their ids are the same
	 * @param messageId the message id, at most 255 bytes
	 * @param handler calls the handler
	 * @return {@code false} if the message was handled before, and the handler was not
	 * called
	 * @throws Throwable what the handler threw, or why it could not be called
	 */
	boolean handle(String queue, String messageId, HandlerCall handler) throws Throwable;

	/**
	 * A call of the handler.
	 */
	@FunctionalInterface
	interface HandlerCall {

		/**
		 * Calls the handler.
		 * @throws Throwable what the handler threw
		 */
		void run() throws Throwable;

	}

}
