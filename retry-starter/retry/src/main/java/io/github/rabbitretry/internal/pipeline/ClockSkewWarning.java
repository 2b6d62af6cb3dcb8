/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.pipeline;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

import io.github.rabbitretry.internal.logging.RateLimitedLog;
import io.github.rabbitretry.internal.message.AppHeaders;
import io.github.rabbitretry.internal.message.ClockSkew;
import io.github.rabbitretry.internal.message.LogText;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Warns of clocks that differ, once in an hour.
 */
final class ClockSkewWarning {

	private static final Log logger = LogFactory.getLog(ClockSkewWarning.class);

	private static final RateLimitedLog warning = new RateLimitedLog(logger, Duration.ofHours(1));

	private ClockSkewWarning() {
	}

	static void check(Map<String, ?> headers, Instant now) {
		Duration ahead = ClockSkew.ahead(headers, now);
		if (!ahead.isZero()) {
			warning
				.warn(() -> ("The clock of consumer %s is ahead of this instance's by at least %s s. Ages of retried "
						+ "messages are wrong by as much, and max-retry-age with them. Synchronize the clocks.")
					.formatted(LogText.of(String.valueOf(headers.get(AppHeaders.CONSUMER))), ahead.toSeconds()));
		}
	}

}
