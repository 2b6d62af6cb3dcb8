/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.logging;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

import org.apache.commons.logging.impl.NoOpLog;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RateLimitedLogTests {

	private final List<Object> logged = new ArrayList<>();

	@Test
	void aFloodIsOneLineWhoseTextAloneIsMade() {
		RateLimitedLog warning = warning(Duration.ofHours(1));
		List<Integer> made = new ArrayList<>();
		for (int index = 0; index < 1000; index++) {
			int number = index;
			warning.warn(made(made, number));
		}
		assertThat(this.logged).containsExactly("bad 0");
		assertThat(made).containsExactly(0);
	}

	@Test
	void theNextLineTellsHowManyWereKept() {
		RateLimitedLog warning = warning(Duration.ofSeconds(1));
		for (int index = 0; index < 10; index++) {
			warning.warn(() -> "bad");
		}
		assertThat(this.logged).containsExactly("bad");
		Awaitility.await().pollDelay(Duration.ofMillis(1010)).until(() -> true);
		warning.warn(() -> "bad again");
		assertThat(this.logged).containsExactly("bad", "bad again (and 9 times before)");
	}

	private static Supplier<String> made(List<Integer> made, int number) {
		return () -> {
			made.add(number);
			return "bad " + number;
		};
	}

	private RateLimitedLog warning(Duration quiet) {
		return new RateLimitedLog(new NoOpLog() {

			private static final long serialVersionUID = 1L;

			@Override
			public void warn(Object message) {
				RateLimitedLogTests.this.logged.add(message);
			}

		}, quiet);
	}

}
