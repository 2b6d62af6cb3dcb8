/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.event;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

import io.github.rabbitretry.event.DeliveryListener;
import io.github.rabbitretry.internal.message.LogText;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.format.annotation.DurationFormat.Style;
import org.springframework.format.datetime.standard.DurationFormatterUtils;

/**
 * Logs outages: one line when one begins and one when it ends.
 */
final class OutageLog implements DeliveryListener {

	private static final Log logger = LogFactory.getLog(OutageLog.class);

	@Override
	public void outageBegan(Outage outage) {
		logger.warn(began(outage));
	}

	@Override
	public void outageEnded(Outage outage) {
		logger.warn(ended(outage));
	}

	static String began(Outage outage) {
		return "%s is down (%s): %s paused, but for probes with single messages. No attempts are counted"
			.formatted(LogText.of(outage.dependency()), outage.reason(), String.join(", ", outage.messageTypes()));
	}

	static String ended(Outage outage) {
		Instant ended = Objects.requireNonNull(outage.ended(), "an outage that ended has an end");
		Duration time = Duration.ofSeconds(Math.max(1, Duration.between(outage.began(), ended).toSeconds()));
		return "%s is up again after %s and %s probes: %s resumed".formatted(LogText.of(outage.dependency()),
				DurationFormatterUtils.print(time, Style.COMPOSITE), outage.probes(),
				String.join(", ", outage.messageTypes()));
	}

}
