/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.alerts;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Ten minutes of a service in which one of twenty messages fails once.
 */
class HealthyRunIntegrationTests {

	private static final Duration LONG = Duration.ofMinutes(10);

	@Test
	void firesNoAlert() throws Exception {
		try (Monitored monitored = Monitored.start(Duration.ofSeconds(5), RuleFile.PATH)) {
			// a counter that begins above zero has not increased
			Awaitility.await()
				.atMost(Duration.ofMinutes(1))
				.until(() -> monitored
					.series("count_over_time(rabbitmq_global_messages_unroutable_dropped_total[1m]) > 1") > 0);
			monitored.othersUseTheBroker();
			long end = System.nanoTime() + LONG.toNanos();
			for (int number = 0; System.nanoTime() < end; number++) {
				monitored.send("alerting.healthy", "m-" + number, (number % 20 == 0) ? "once" : "ok");
				LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
				if (number % 200 == 0) {
					assertThat(monitored.fired()).isEmpty();
				}
			}
			assertThat(monitored.fired()).isEmpty();
			assertThat(monitored.series("rabbit_retry_deliveries_total{outcome=\"acked\"} > 1000")).isPositive();
			assertThat(monitored.series("retry_attempts_total > 50")).isPositive();
		}
	}

}
