/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.message;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class XDeathTests {

	@Test
	void isTheNewestEntry() {
		assertThat(XDeath.last(Map.of(BrokerHeaders.DEATH,
				List.of(Map.of("reason", "delivery_limit", "queue", "q", "exchange", "orders", "routing-keys",
						List.of("a", "b")), Map.of("reason", "expired")))))
			.contains(new XDeath("delivery_limit", "q", "orders", "a"));
	}

	@Test
	void isReadAsFarAsItGoes() {
		assertThat(XDeath.last(Map.of(BrokerHeaders.DEATH, List.of(Map.of("reason", 7)))))
			.contains(new XDeath("7", "", "", ""));
		assertThat(XDeath.last(Map.of(BrokerHeaders.DEATH, "expired"))).isEmpty();
		assertThat(XDeath.last(Map.of(BrokerHeaders.DEATH, List.of()))).isEmpty();
		assertThat(XDeath.last(Map.of())).isEmpty();
	}

	@Test
	void headersMadeByTheBrokerAreKnown() {
		assertThat(List.of("x-death", "x-first-death-queue", "x-last-death-reason", "x-delivery-count",
				"x-acquired-count"))
			.allMatch(BrokerHeaders::madeByBroker);
		assertThat(List.of("x-app-retry-attempt", "traceparent", "x-original-death-count"))
			.noneMatch(BrokerHeaders::madeByBroker);
	}

}
