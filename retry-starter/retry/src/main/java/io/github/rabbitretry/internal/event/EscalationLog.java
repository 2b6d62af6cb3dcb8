/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.event;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.github.rabbitretry.event.DeliveryListener;
import io.github.rabbitretry.event.EscalatedMessage;
import io.github.rabbitretry.internal.logging.RateLimitedLog;
import io.github.rabbitretry.internal.message.LogText;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Writes a line for the owner of a message that keeps failing. In an outage all messages
 * of a type do, so that after each line of a type the next ones of the same second are
 * only counted.
 */
final class EscalationLog implements DeliveryListener {

	private static final Log logger = LogFactory.getLog(EscalationLog.class);

	private static final Duration QUIET = Duration.ofSeconds(1);

	private final Map<String, RateLimitedLog> byType = new ConcurrentHashMap<>();

	@Override
	public void escalated(EscalatedMessage message) {
		this.byType.computeIfAbsent(message.messageType(), (type) -> new RateLimitedLog(logger, QUIET))
			.warn(() -> line(message));
	}

	static String line(EscalatedMessage message) {
		return "%s: message %s of %s keeps failing, waits for broker attempt %s, failed first %s s ago, now with %s"
			.formatted(message.owner(), LogText.of(message.messageId()), message.messageType(), message.attempt(),
					message.age().toSeconds(), message.reason());
	}

}
