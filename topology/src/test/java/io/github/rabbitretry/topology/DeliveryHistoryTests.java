/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.topology;

import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

class DeliveryHistoryTests {

	private static final Instant NOW = Instant.parse("2026-07-01T12:00:00Z");

	@Test
	void ofAFirstDeliveryIsEmpty() {
		DeliveryHistory history = DeliveryHistory.read(Map.of(), NOW);
		assertThat(history.retried()).isFalse();
		assertThat(history.firstFailureAt()).isNull();
		assertThat(history.ignored()).isEmpty();
	}

	@Test
	void isReadFromOurHeaders() {
		DeliveryHistory history = DeliveryHistory.read(Map.of(AppHeaders.RETRY_ATTEMPT, 3, AppHeaders.FIRST_FAILURE_AT,
				"2026-07-01T11:00:00Z", AppHeaders.CUMULATIVE_DELAY, 5000L), NOW);
		assertThat(history).isEqualTo(new DeliveryHistory(3, NOW.minusSeconds(3600), null, Duration.ofSeconds(5), 0,
				Spending.NONE, null, List.of()));
	}

	@ParameterizedTest
	@MethodSource
	void ignoresWhatCannotBeTrueAndSaysSo(String header, Object value) {
		Map<String, Object> headers = new HashMap<>(Map.of(header, value));
		DeliveryHistory history = DeliveryHistory.read(headers, NOW);
		assertThat(history.attempt()).isZero();
		assertThat(history.firstFailureAt()).isNull();
		assertThat(history.cumulativeDelay()).isZero();
		assertThat(history.ignored()).containsExactly(header);
	}

	static Stream<Arguments> ignoresWhatCannotBeTrueAndSaysSo() {
		return Stream.of(Arguments.of(AppHeaders.RETRY_ATTEMPT, -1), Arguments.of(AppHeaders.RETRY_ATTEMPT, "3"),
				Arguments.of(AppHeaders.RETRY_ATTEMPT, 3.0), Arguments.of(AppHeaders.RETRY_ATTEMPT, 1L << 31),
				Arguments.of(AppHeaders.RETRY_ATTEMPT, List.of(1)), Arguments.of(AppHeaders.RETRY_ATTEMPT, new byte[0]),
				Arguments.of(AppHeaders.FIRST_FAILURE_AT, "yesterday"),
				Arguments.of(AppHeaders.FIRST_FAILURE_AT, new Date()), Arguments.of(AppHeaders.FIRST_FAILURE_AT, 12L),
				Arguments.of(AppHeaders.FIRST_FAILURE_AT, "2027-07-01T12:00:00Z"),
				Arguments.of(AppHeaders.CUMULATIVE_DELAY, Long.MAX_VALUE),
				Arguments.of(AppHeaders.CUMULATIVE_DELAY, -5));
	}

	@Test
	void tellsHowLongToWaitUnlessThatIsOverOrBeyondAllBounds() {
		assertThat(notBefore("2026-07-01T12:10:00Z")).isEqualTo(NOW.plusSeconds(600));
		assertThat(notBefore("2026-07-01T11:59:59Z")).isNull();
		assertThat(notBefore("2026-07-01T12:00:00.050Z")).isNull();
		assertThat(notBefore("2026-07-01T12:00:00.051Z")).isEqualTo(NOW.plusMillis(51));
		assertThat(notBefore("2036-07-01T12:10:00Z")).isNull();
	}

	private static @Nullable Instant notBefore(String value) {
		return DeliveryHistory.read(Map.of(AppHeaders.RETRY_NOT_BEFORE, value), NOW).notBefore();
	}

	@Test
	void takesAClockThatIsALittleAheadAsNow() {
		DeliveryHistory history = DeliveryHistory.read(Map.of(AppHeaders.FIRST_FAILURE_AT, "2026-07-01T12:00:30Z"),
				NOW);
		assertThat(history.firstFailureAt()).isEqualTo(NOW);
	}

	@ParameterizedTest
	@MethodSource
	void neverResetsTheAgeOfARetriedMessage(Map<String, Object> headers, @Nullable String first) {
		Map<String, Object> all = new HashMap<>(headers);
		all.put(AppHeaders.RETRY_ATTEMPT, 2);
		all.put(AppHeaders.FIRST_FAILURE_AT, "garbage");
		DeliveryHistory history = DeliveryHistory.read(all, NOW);
		assertThat(history.attempt()).isEqualTo(2);
		assertThat(history.firstFailureAt()).isEqualTo((first != null) ? Instant.parse(first) : null);
	}

	static Stream<Arguments> neverResetsTheAgeOfARetriedMessage() {
		List<Map<String, Object>> deaths = List.of(Map.of("time", Date.from(Instant.parse("2026-07-01T09:00:00Z"))),
				Map.of("time", Date.from(Instant.parse("2026-07-01T08:00:00Z"))), Map.of("time", "never"));
		return Stream.of(Arguments.of(Map.of(), null),
				Arguments.of(Map.of(AppHeaders.LAST_FAILURE_AT, "2026-07-01T10:00:00Z"), "2026-07-01T10:00:00Z"),
				Arguments.of(Map.of(AppHeaders.LAST_FAILURE_AT, "2026-07-01T10:00:00Z", BrokerHeaders.DEATH, deaths),
						"2026-07-01T08:00:00Z"),
				Arguments.of(Map.of(BrokerHeaders.DEATH, "not a list"), null));
	}

}
