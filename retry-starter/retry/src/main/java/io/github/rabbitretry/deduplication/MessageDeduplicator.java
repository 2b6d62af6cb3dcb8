/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.deduplication;

/**
 * Remembers which messages were handled, so that a message that is delivered again is not
 * handled again. Whether a policy uses one depends on its {@code deduplication.store}; a
 * bean of this type is used by policies with {@code deduplication.store: bean}.
 * <p>
 * A message that was handled before is acknowledged, and
 * {@link io.github.rabbitretry.event.DeliveryListener#duplicate} is called. Messages
 * without a message id are always handled, without calling a deduplicator.
 * Implementations are called by several threads concurrently.
 */
public interface MessageDeduplicator {

	/**
	 * Calls the handler, unless the message was handled before. Called once for each
	 * local attempt, on the listener's thread.
	 * <p>
	 * The message counts as handled from the moment that the handler returns. If the
	 * handler throws, nothing may be remembered: the message will be delivered again, and
	 * must be handled then. The only exceptions are failures after which a message is
	 * complete, such as {@link io.github.rabbitretry.handler.DiscardMessageException},
	 * which may be remembered. While another thread or process handles the same message,
	 * this method waits for its outcome, or throws an exception, after which the message
	 * is retried as after an exception of the handler.
	 * @param queue the policy's work queue: messages in different queues are different,
	 * even if their ids are the same
	 * @param messageId the message id, at most 255 bytes
	 * @param handler calls the handler
	 * @return {@code false} if the message was handled before, and the handler was not
	 * called
	 * @throws Throwable the exception of the handler, or the reason why it could not be
	 * called
	 */
	boolean handle(String queue, String messageId, HandlerCall handler) throws Throwable;

	/**
	 * A call of the handler.
	 */
	@FunctionalInterface
	interface HandlerCall {

		/**
		 * Calls the handler.
		 * @throws Throwable the exception of the handler
		 */
		void run() throws Throwable;

	}

}
