/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.pipeline;

import java.net.SocketTimeoutException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.github.rabbitretry.event.EscalatedMessage;
import io.github.rabbitretry.internal.listener.ManagedTestListener;
import io.github.rabbitretry.internal.policy.EscalateAfter;
import io.github.rabbitretry.internal.policy.TestPolicy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * {@code escalate-after}: the owner is told once that a message keeps failing, while it
 * is tried on.
 */
class EscalationTests {

	private final ManagedTestListener owned = new ManagedTestListener();

	@AfterEach
	void close() {
		this.owned.close();
	}

	@ParameterizedTest
	@CsvSource({ "0, false", "1, true", "2, true" })
	void theOwnerIsToldFromTheAttemptOn(int made, boolean told) {
		deliver(new EscalateAfter(2, null), Map.of("x-app-retry-attempt", made));
		assertThat(escalations()).hasSize(told ? 1 : 0);
		assertThat(copy().get("x-app-escalated-at")).isEqualTo(told ? "2026-07-01T12:00:00Z" : null);
	}

	@ParameterizedTest
	@CsvSource({ "2026-07-01T11:30:00.001Z, false", "2026-07-01T11:30:00Z, true", "2026-07-01T11:20:00Z, true" })
	void theOwnerIsToldFromTheAgeOn(Instant firstFailure, boolean told) {
		deliver(new EscalateAfter(null, Duration.ofMinutes(30)),
				Map.of("x-app-retry-attempt", 1, "x-app-first-failure-at", firstFailure.toString()));
		assertThat(escalations()).hasSize(told ? 1 : 0);
	}

	@Test
	void theOwnerIsToldWhichMessageFailsForHowLongAndWhy() {
		deliver(new EscalateAfter(2, null),
				Map.of("x-app-retry-attempt", 1, "x-app-first-failure-at", "2026-07-01T11:50:00Z"));
		assertThat(this.owned.told()).containsEntry("escalated "
				+ new EscalatedMessage("Order", "team-orders", "m-1", 2, Duration.ofMinutes(10), "DOWNSTREAM_TIMEOUT"),
				1);
		assertThat(this.owned.told()).as("tried on unchanged").containsEntry("retried DOWNSTREAM_TIMEOUT", 1);
		assertThat(copy()).containsEntry("x-app-retry-attempt", 2);
	}

	@Test
	void theCopyRemembersSoThatTheOwnerIsToldOnceOverRestarts() {
		Map<String, Object> escalated = Map.of("x-app-retry-attempt", 2, "x-app-escalated-at", "2026-07-01T11:59:00Z");
		deliver(new EscalateAfter(2, null), escalated);
		assertThat(escalations()).isEmpty();
		assertThat(copy()).containsEntry("x-app-escalated-at", "2026-07-01T11:59:00Z");
	}

	@Test
	void nobodyIsToldOfAMessageThatIsNotTriedOn() {
		deliver(new EscalateAfter(1, null), Map.of("x-app-retry-attempt", 3));
		assertThat(this.owned.told()).isEqualTo(Map.of("received", 1, "parked RETRY_BUDGET_EXHAUSTED", 1));
	}

	@Test
	void withoutTheKeyNobodyIsTold() {
		deliver(null, Map.of("x-app-retry-attempt", 2));
		assertThat(escalations()).isEmpty();
		assertThat(copy()).doesNotContainKey("x-app-escalated-at");
	}

	private void deliver(EscalateAfter after, Map<String, Object> headers) {
		this.owned.start(TestPolicy.order().escalateAfter(after).build(), (message) -> {
			throw new SocketTimeoutException("read");
		}).deliver(new HashMap<>(headers));
	}

	private List<String> escalations() {
		return this.owned.told().keySet().stream().filter((told) -> told.startsWith("escalated")).toList();
	}

	private Map<String, Object> copy() {
		return this.owned.channel().published().get(0).headers();
	}

}
