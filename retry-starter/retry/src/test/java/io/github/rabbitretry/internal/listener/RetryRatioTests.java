/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.listener;

import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

import io.github.rabbitretry.internal.policy.RetryRatio;
import io.github.rabbitretry.internal.policy.TestPolicy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * {@code retry-ratio}: what happens to deliveries once it is spent.
 */
class RetryRatioTests {

	private static final RetryRatio ONE = new RetryRatio(0.001, Duration.ofMinutes(1), 1);

	private final ManagedTestListener owned = new ManagedTestListener();

	private boolean down = true;

	@AfterEach
	void close() {
		this.owned.close();
	}

	@Test
	void localAttemptsAreRetriesToo() {
		start(TestPolicy.order().localAttempts(3).ratio(ONE));
		this.owned.deliver();
		assertThat(this.owned.calls()).as("the first call and the one retry that is allowed").isEqualTo(2);
		this.owned.deliver();
		assertThat(this.owned.calls()).as("none left").isEqualTo(3);
		assertThat(this.owned.told()).containsEntry("retried DOWNSTREAM_TIMEOUT", 2);
	}

	@Test
	void aFailureThatIsNotTriedAgainTakesNoRetry() {
		start(TestPolicy.order().localAttempts(2).ratio(ONE).parkOn("DOWNSTREAM_TIMEOUT"));
		this.owned.deliver();
		this.down = false;
		this.owned.deliver(cameBack(1000L));
		assertThat(this.owned.told()).containsEntry("acknowledged", 1).doesNotContainKey("throttled");
	}

	@Test
	void aMessageThatCameBackIsNotHandledAndItsAttemptNotUsedUp() {
		start(TestPolicy.order().ratio(ONE));
		this.owned.deliver(cameBack(1000L));
		this.owned.deliver(cameBack(1000L));
		assertThat(this.owned.calls()).isEqualTo(1);
		assertThat(this.owned.told())
			.isEqualTo(Map.of("received", 2, "retried DOWNSTREAM_TIMEOUT", 1, "postponed", 1, "throttled", 1));
		Map<String, Object> turn = this.owned.channel().published().get(1).headers();
		assertThat(turn).containsEntry("x-app-retry-attempt", 2)
			.containsEntry("x-app-retry-delay", 30_000L)
			.containsEntry("x-app-cumulative-delay", 3000L)
			.containsEntry("x-app-retry-reason", "LOCK_CONFLICT")
			.hasEntrySatisfying("x-app-first-failure-at",
					(value) -> assertThat(value).hasToString("2026-07-01T11:59:00Z"));
	}

	@Test
	void messagesThatWaitForTheRatioAreGivenPlacesOneBehindTheOther() {
		start(TestPolicy.order().ratio(ONE));
		for (int i = 0; i < 4; i++) {
			this.owned.deliver(cameBack(600_000L));
		}
		assertThat(this.owned.channel().published().stream().skip(1).map((turn) -> delay(turn.headers())))
			.satisfiesExactly((delay) -> assertThat(delay).isEqualTo(30_000),
					(delay) -> assertThat(delay).isBetween(30_001L, 60_000L),
					(delay) -> assertThat(delay).as("at most a window").isEqualTo(60_000L));
	}

	@Test
	void placesComeBeforeTheMessageIsTooOldAndThenItIsParked() {
		start(TestPolicy.order().ratio(ONE));
		this.owned.deliver(cameBack(1000L));
		Map<String, Object> old = cameBack(600_000L);
		old.put("x-app-first-failure-at", "2026-07-01T11:00:20Z");
		this.owned.deliver(old);
		assertThat(delay(this.owned.channel().published().get(1).headers())).isEqualTo(10_000);
		old.put("x-app-first-failure-at", "2026-07-01T11:00:01Z");
		this.owned.deliver(old);
		assertThat(this.owned.channel().published().get(2).headers())
			.containsEntry("x-app-retry-reason", "RETRY_AGE_EXCEEDED")
			.containsEntry("x-app-failure-reason", "LOCK_CONFLICT");
		assertThat(this.owned.calls()).isEqualTo(1);
	}

	@Test
	void whereLittleArrivesARetryThatSucceededAllowsAnother() {
		this.down = false;
		start(TestPolicy.order().ratio(ONE));
		for (int i = 0; i < 20; i++) {
			this.owned.deliver(cameBack(1000L));
		}
		assertThat(this.owned.told()).isEqualTo(Map.of("received", 20, "acknowledged", 20));
	}

	@Test
	void whereLittleArrivesARetryThatFailedAllowsNoOther() {
		start(TestPolicy.order().ratio(ONE));
		for (int i = 0; i < 20; i++) {
			this.owned.deliver(cameBack(1000L));
		}
		assertThat(this.owned.calls()).isEqualTo(1);
	}

	@Test
	void firstDeliveriesAreAlwaysHandledAndEarnRetries() {
		this.down = false;
		start(TestPolicy.order().ratio(new RetryRatio(0.5, Duration.ofMinutes(1), 1)));
		for (int i = 0; i < 6; i++) {
			this.owned.deliver();
		}
		this.down = true;
		for (int i = 0; i < 4; i++) {
			this.owned.deliver(cameBack(1000L));
		}
		assertThat(this.owned.told()).isEqualTo(Map.of("received", 10, "acknowledged", 6, "retried DOWNSTREAM_TIMEOUT",
				3, "postponed", 1, "throttled", 1));
	}

	private void start(TestPolicy policy) {
		this.owned.start(policy.build(), (message) -> {
			if (this.down) {
				throw new SocketTimeoutException("read");
			}
		});
	}

	private static long delay(Map<String, Object> headers) {
		return ((Number) Objects.requireNonNull(headers.get("x-app-retry-delay"))).longValue();
	}

	private static Map<String, Object> cameBack(long delay) {
		return new HashMap<>(Map.of("x-app-retry-attempt", 2, "x-app-retry-delay", delay, "x-app-cumulative-delay",
				3000L, "x-app-first-failure-at", "2026-07-01T11:59:00Z", "x-app-retry-reason", "LOCK_CONFLICT"));
	}

}
