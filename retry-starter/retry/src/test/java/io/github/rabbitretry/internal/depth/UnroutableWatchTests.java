/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.depth;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class UnroutableWatchTests {

	private final AtomicReference<OptionalLong> messages = new AtomicReference<>(OptionalLong.of(0));

	private final UnroutableWatch watch = new UnroutableWatch(this.messages::get, Duration.ofSeconds(30));

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
		this.watch.look();
		new UnroutableWatch(() -> {
			throw new IllegalStateException("gone");
		}, Duration.ofSeconds(30)).look();
		assertThat(output).doesNotContain("WARN");
	}

	private void look(long count) {
		this.messages.set(OptionalLong.of(count));
		this.watch.look();
	}

}
