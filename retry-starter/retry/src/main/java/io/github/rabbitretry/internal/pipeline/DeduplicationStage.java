/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.pipeline;

import java.time.Duration;

import io.github.rabbitretry.deduplication.MessageDeduplicator;
import io.github.rabbitretry.internal.logging.RateLimitedLog;
import org.apache.commons.logging.LogFactory;

/**
 * Has the handler called once for each message id. Whether the message is a duplicate
 * shows when it is to be called.
 */
record DeduplicationStage(MessageDeduplicator deduplicator, Stage next) implements Stage {

	private static final RateLimitedLog withoutId = new RateLimitedLog(LogFactory.getLog(RetryAdvice.class),
			Duration.ofMinutes(10));

	@Override
	public void handle(ListenerDelivery delivery) {
		String messageId = delivery.received().properties().getMessageId();
		// the client reads whatever is no UTF-8 as this character: different ids are the
		// same
		if (messageId == null || messageId.isEmpty() || messageId.indexOf('\uFFFD') >= 0) {
			withoutId.warn(
					() -> ("A message of '%s' has no message id, or one that is no UTF-8, so that duplicates of it are handled again. "
							+ "Let its producer set one, or set deduplication.store of the message policy to none")
						.formatted(delivery.messageType()));
		}
		else {
			delivery.call().onceBy(this.deduplicator, delivery.policy().queue(), messageId);
		}
		this.next.handle(delivery);
	}

}
