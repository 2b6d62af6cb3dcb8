/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.scan;

import io.github.rabbitretry.internal.event.LogText;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.parking.replay.OperatorAction;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Tells who did what: one line before something is done, in case the process ends
 * meanwhile, and one line for each message when it is known what became of it.
 */
final class WindowAudit {

	private static final Log logger = LogFactory.getLog(ParkingLotWindow.AUDIT);

	private final OperatorAction act;

	WindowAudit(OperatorAction act) {
		this.act = act;
	}

	void begins(String what, MessagePolicy policy, int count) {
		if (count > 0) {
			logger.info("%s begins to %s %d messages of '%s', because %s".formatted(LogText.of(this.act.user()), what,
					count, policy.topology().parkingLot(), LogText.of(this.act.reason())));
		}
	}

	void tell(String what, MessagePolicy policy, WindowMessage message, String remark) {
		String messageId = message.parked().summary().messageId();
		logger.info("%s %s message %s (id %d, sha-256 %s) of '%s', because %s%s".formatted(LogText.of(this.act.user()),
				what, LogText.of((messageId != null) ? messageId : ""), message.id(),
				message.parked().summary().payloadHash(), policy.topology().parkingLot(), LogText.of(this.act.reason()),
				remark));
	}

}
