/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.event;

import java.time.Instant;
import java.util.List;

import io.github.rabbitretry.event.DeliveryListener.Outage;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class OutageLogTests {

	private static final Instant BEGAN = Instant.parse("2026-07-01T12:00:00Z");

	@Test
	void aLineTellsWhatIsDownWhyAndWhoIsPaused() {
		assertThat(OutageLog.began(outage(null, 0)))
			.isEqualTo("'gateway' is down (DOWNSTREAM_TIMEOUT): Order, Payment paused, but for probes with single"
					+ " messages. No attempts are counted");
	}

	@Test
	void aLineTellsHowLongItTookAndHowManyProbes() {
		assertThat(OutageLog.ended(outage(BEGAN.plusMillis(72_400), 8)))
			.isEqualTo("'gateway' is up again after 1m12s and 8 probes: Order, Payment resumed");
	}

	private static Outage outage(Instant ended, int probes) {
		return new Outage("gateway", List.of("Order", "Payment"), "DOWNSTREAM_TIMEOUT", BEGAN, ended, probes);
	}

}
