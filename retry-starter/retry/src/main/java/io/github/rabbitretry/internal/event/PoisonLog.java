/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.event;

import io.github.rabbitretry.event.DeliveryListener;
import io.github.rabbitretry.event.PoisonSignal;
import io.github.rabbitretry.internal.message.LogText;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Writes a line for each sign of poison, of which each comes once within a window.
 */
final class PoisonLog implements DeliveryListener {

	private static final Log logger = LogFactory.getLog(PoisonLog.class);

	@Override
	public void poisonSuspected(PoisonSignal signal) {
		logger.warn(line(signal));
	}

	static String line(PoisonSignal signal) {
		if (signal.kind() == PoisonSignal.Kind.CRASH_LOOP) {
			return signal.value().isEmpty()
					? "%s: consumers of %s die, the messages that they had in their hands are handled apart from others"
						.formatted(signal.owner(), signal.messageType())
					: "%s: consumers of %s die of message %s, which is parked".formatted(signal.owner(),
							signal.messageType(), LogText.of(signal.value()));
		}
		return "%s: %s %% of %s failures of %s have %s %s".formatted(signal.owner(), (int) (100 * signal.share()),
				signal.failures(), signal.messageType(), signal.kind().label(), LogText.of(signal.value()));
	}

}
