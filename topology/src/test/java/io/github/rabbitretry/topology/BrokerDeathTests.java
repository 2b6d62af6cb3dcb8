/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.topology;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class BrokerDeathTests {

	@Test
	void isTheNewestEntry() {
		assertThat(BrokerDeath.last(Map.of(BrokerHeaders.DEATH,
				List.of(Map.of("reason", "delivery_limit", "queue", "q", "exchange", "orders", "routing-keys",
						List.of("a", "b")), Map.of("reason", "expired")))))
			.contains(new BrokerDeath("delivery_limit", "q", "orders", "a"));
	}

	@Test
	void isReadAsFarAsItGoes() {
		assertThat(BrokerDeath.last(Map.of(BrokerHeaders.DEATH, List.of(Map.of("reason", 7)))))
			.contains(new BrokerDeath("7", "", "", ""));
		assertThat(BrokerDeath.last(Map.of(BrokerHeaders.DEATH, "expired"))).isEmpty();
		assertThat(BrokerDeath.last(Map.of(BrokerHeaders.DEATH, List.of()))).isEmpty();
		assertThat(BrokerDeath.last(Map.of())).isEmpty();
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
