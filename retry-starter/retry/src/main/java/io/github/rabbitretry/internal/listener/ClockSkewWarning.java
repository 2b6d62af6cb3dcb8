/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.listener;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

import io.github.rabbitretry.internal.event.LogText;
import io.github.rabbitretry.internal.event.OccasionalWarning;
import io.github.rabbitretry.internal.topology.AppHeaders;
import io.github.rabbitretry.internal.topology.ClockSkew;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Warns of clocks that differ, once in an hour.
 */
final class ClockSkewWarning {

	private static final Log logger = LogFactory.getLog(ClockSkewWarning.class);

	private static final OccasionalWarning warning = new OccasionalWarning(logger, Duration.ofHours(1));

	private ClockSkewWarning() {
	}

	static void check(Map<String, ?> headers, Instant now) {
		Duration ahead = ClockSkew.ahead(headers, now);
		if (!ahead.isZero()) {
			warning
				.warn(() -> ("The clock of consumer %s is ahead of this instance's by at least %d s. Ages of retried "
						+ "messages are wrong by as much, and max-retry-age with them. Synchronize the clocks.")
					.formatted(LogText.of(String.valueOf(headers.get(AppHeaders.CONSUMER))), ahead.toSeconds()));
		}
	}

}
