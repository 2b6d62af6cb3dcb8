/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.listener;

import io.github.rabbitretry.topology.HeaderText;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * One line for each message that ends without success and without a copy in the parking
 * lot, in a log of its own, so that it can be kept elsewhere. Without payload.
 */
final class AuditLog {

	private static final Log logger = LogFactory.getLog("io.github.rabbitretry.audit");

	private AuditLog() {
	}

	static void tell(String what, OwnedDelivery delivery, String reason) {
		String id = delivery.received().properties().getMessageId();
		logger.info("%s messageType=%s messageId=%s reason=%s attempt=%d owner=%s".formatted(what,
				printable(delivery.policy().messageType()), (id != null) ? printable(id) : "none", reason,
				delivery.history().attempt(), printable(delivery.policy().owner())));
	}

	/** A producer must not be able to write lines of its own. */
	private static String printable(String text) {
		return HeaderText.bounded(text, 255).replaceAll("[\\p{Cntrl}\\p{Cf}\\u2028\\u2029]", "?");
	}

}
