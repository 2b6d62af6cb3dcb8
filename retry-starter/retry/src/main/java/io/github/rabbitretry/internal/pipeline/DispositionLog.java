/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.pipeline;

import io.github.rabbitretry.internal.delivery.Delivery;
import io.github.rabbitretry.internal.message.LogText;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * One line for each message that ends without success and without a copy in the parking
 * lot, in a log of its own, so that it can be kept elsewhere. Without payload.
 */
final class DispositionLog {

	private static final Log logger = LogFactory.getLog("io.github.rabbitretry.audit");

	private DispositionLog() {
	}

	static void log(String what, Delivery delivery, String reason) {
		String id = delivery.received().properties().getMessageId();
		logger.info("%s messageType=%s messageId=%s reason=%s attempt=%s owner=%s".formatted(what,
				LogText.of(delivery.messageType()), (id != null) ? LogText.of(id) : "none", reason,
				delivery.history().attempt(), LogText.of(delivery.policy().owner())));
	}

}
