/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.depth;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;

import io.github.rabbitretry.internal.thread.Watchdog;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class UnroutableMonitorTests {

	private final AtomicReference<OptionalLong> messages = new AtomicReference<>(OptionalLong.of(0));

	private final Watchdog watchdog = new Watchdog();

	private final UnroutableMonitor monitor = new UnroutableMonitor(this.messages::get, Duration.ofSeconds(30),
			this.watchdog);

	@AfterEach
	void close() {
		this.watchdog.close();
	}

	@Test
	void looksWhenItIsTimeWhileItRuns() {
		UnroutableMonitor often = new UnroutableMonitor(this.messages::get, Duration.ofMillis(1), this.watchdog);
		this.messages.set(OptionalLong.of(5));
		Awaitility.await().during(Duration.ofMillis(300)).until(() -> Double.isNaN(often.depth()));
		often.start();
		Awaitility.await().until(() -> often.depth() == 5);
		this.messages.set(OptionalLong.of(6));
		Awaitility.await().until(() -> often.depth() == 6);
	}

	@Test
	void reportsMessagesWhenTheyArriveAndNotAgain(CapturedOutput output) {
		look(0);
		assertThat(output).doesNotContain("rabbit-retry.delay.v1.unroutable");
		look(3);
		look(3);
		look(2);
		assertThat(output).containsOnlyOnce("3 messages are in 'rabbit-retry.delay.v1.unroutable'")
			.contains("move them to exchange 'rabbit-retry.delay.v1.delivery'")
			.doesNotContain("2 messages are in");
		look(4);
		assertThat(output).containsOnlyOnce("4 messages are in");
	}

	@Test
	void saysNothingIfTheBrokerDoesNotTell(CapturedOutput output) {
		this.messages.set(OptionalLong.empty());
		this.monitor.look();
		new UnroutableMonitor(() -> {
			throw new IllegalStateException("gone");
		}, Duration.ofSeconds(30), this.watchdog).look();
		assertThat(output).doesNotContain("WARN");
	}

	private void look(long count) {
		this.messages.set(OptionalLong.of(count));
		this.monitor.look();
	}

}
