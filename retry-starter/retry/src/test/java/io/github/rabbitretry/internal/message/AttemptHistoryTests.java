/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.message;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class AttemptHistoryTests {

	private static final Instant AT = Instant.parse("2026-07-01T12:00:00.123456789Z");

	@Test
	void tellsWhenWhichWhyHowLongAndWho() {
		String first = AttemptHistory.with(null, AT, 1, "LOCK_CONFLICT", Duration.ofSeconds(90), "worker 1");
		assertThat(first).isEqualTo("2026-07-01T12:00:00.123Z #1 LOCK_CONFLICT 90s worker 1");
		String second = AttemptHistory.with(first, AT, 2, "LOCK_CONFLICT", null, "b");
		assertThat(second).isEqualTo(first + "; 2026-07-01T12:00:00.123Z #2 LOCK_CONFLICT parked b");
		assertThat(AttemptHistory.lines(second)).containsExactly(first,
				"2026-07-01T12:00:00.123Z #2 LOCK_CONFLICT parked b");
	}

	@ParameterizedTest
	@CsvSource({ "PT0.0015S, 2ms", "PT10S, 10s", "PT10M, 10m", "PT240H, 10d", "PT0S, 0s" })
	void delaysAreSpelledAsQueueNamesAre(Duration delay, String label) {
		assertThat(AttemptHistory.with(null, AT, 1, "WHY", delay, "w")).contains(" WHY " + label + " w");
	}

	@Test
	void theLastTenAreKept() {
		assertThat(AttemptHistory.lines(attempts(25, "w"))).hasSize(10)
			.first()
			.asString()
			.contains(" #16 ")
			.endsWith(" w");
	}

	@Test
	void fewerAreKeptIfTheyAreLong() {
		List<String> kept = AttemptHistory.lines(attempts(25, "\u20ac".repeat(33)));
		assertThat(kept).hasSize(7).last().asString().contains(" #25 ");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "; ", "none", "2026-07-01T12:00:00Z", "2026-07-01T12:00:00Z #1 WHY 10s",
			"2026-07-01T12:00:00Z #1 WHY 10s ", "2026-07-01T12:00:00Z #1 why 10s w",
			"2026-07-01T12:00:00Z #1 WHY soon w", "2026-07-01T12:00:00Z #x WHY 10s w", "now #1 WHY 10s w",
			"2026-07-01T12:00:00Z #1 WHY 10s w\n", "2026-07-01T12:00:00Z #1 WHY 10s \u202ew",
			"2026-07-01T12:00:00Z #1 WHY 10s w; ", "2026-07-01T12:00:00Z #1 WHY 10s w;w",
			"[{\"at\":\"2026-07-01T12:00:00Z\"}]" })
	void whatIsNoHistoryIsLeftBehind(String foreign) {
		assertThat(AttemptHistory.readable(foreign)).isFalse();
		assertThat(AttemptHistory.lines(foreign)).isEmpty();
		assertThat(AttemptHistory.with(foreign, AT, 4, "WHY", null, "w"))
			.isEqualTo("2026-07-01T12:00:00.123Z #4 WHY parked w");
	}

	@Test
	void thereNeedNotBeAny() {
		assertThat(AttemptHistory.lines(null)).isEmpty();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "order-worker|order-worker", "a; b|a_ b", "'a\nb'|a_b", "' '|-", "''|-",
			"Bestelldienst \u00fc|Bestelldienst \u00fc" })
	void anyNameCanBeAConsumer(String name, String consumer) {
		assertThat(AttemptHistory.consumer(name)).isEqualTo(consumer);
	}

	@Test
	void anyCharactersLeaveAReadableHistoryWithinItsBounds() {
		Random random = new Random(13);
		@Nullable String history = null;
		for (int round = 0; round < 20_000; round++) {
			String consumer = AttemptHistory.consumer(anything(random, 150));
			String before = random.nextInt(50) == 0 ? anything(random, 3000) : history;
			history = AttemptHistory.with(before, AT.plusSeconds(random.nextInt(100_000_000)),
					random.nextInt(1_000_000), "R".repeat(1 + random.nextInt(64)),
					random.nextBoolean() ? Duration.ofMillis(random.nextInt()) : null, consumer);
			assertThat(history.getBytes(StandardCharsets.UTF_8)).hasSizeLessThanOrEqualTo(1024);
			assertThat(AttemptHistory.readable(history)).as(history).isTrue();
			assertThat(AttemptHistory.lines(history)).hasSizeBetween(1, 10).last().asString().endsWith(consumer);
			String received = new String(history.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
			assertThat(AttemptHistory.lines(received)).hasSameSizeAs(AttemptHistory.lines(history));
		}
	}

	private static String attempts(int attempts, String consumer) {
		@Nullable String history = null;
		for (int attempt = 1; attempt <= attempts; attempt++) {
			history = AttemptHistory.with(history, AT, attempt, "WHY", Duration.ofSeconds(attempt), consumer);
		}
		return String.valueOf(history);
	}

	private static String anything(Random random, int longest) {
		byte[] bytes = new byte[random.nextInt(longest)];
		random.nextBytes(bytes);
		return random.nextBoolean() ? new String(bytes, StandardCharsets.UTF_8)
				: IntStream.range(0, bytes.length)
					.mapToObj((at) -> Character.toString(random.nextInt(Character.MAX_CODE_POINT)))
					.collect(Collectors.joining());
	}

}
