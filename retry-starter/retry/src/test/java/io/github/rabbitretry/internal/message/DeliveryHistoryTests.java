/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.message;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.github.rabbitretry.topology.Usage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

class DeliveryHistoryTests {

	private static final Instant NOW = Instant.parse("2026-07-01T12:00:00Z");

	private static final List<String> HEADERS = List.of(AppHeaders.RETRY_ATTEMPT, AppHeaders.RETRY_MAX,
			AppHeaders.RETRY_LEVEL, AppHeaders.RETRY_DELAY, AppHeaders.CUMULATIVE_DELAY, AppHeaders.RETRY_NOT_BEFORE,
			AppHeaders.FIRST_FAILURE_AT, AppHeaders.LAST_FAILURE_AT, AppHeaders.ESCALATED_AT,
			AppHeaders.DOWNSTREAM_CALLS, AppHeaders.COST, AppHeaders.RETRY_HISTORY, BrokerHeaders.DEATH,
			BrokerHeaders.DELIVERY_COUNT);

	private static final List<Object> EXTREMES = List.of(Byte.MIN_VALUE, Byte.MAX_VALUE, Short.MIN_VALUE,
			Short.MAX_VALUE, Integer.MIN_VALUE, -1, 0, Integer.MAX_VALUE, Long.MIN_VALUE, Long.MAX_VALUE,
			Long.MAX_VALUE / 1_000_000, 0x80000000L, Float.NaN, Float.POSITIVE_INFINITY, Double.NaN, Double.MIN_VALUE,
			-Double.MAX_VALUE, new BigDecimal(BigInteger.ONE, 255), new BigDecimal(Integer.MIN_VALUE), true, false,
			new Date(Long.MIN_VALUE), new Date(-1), new Date(0), new Date(Long.MAX_VALUE), "", "2147483648", "NaN",
			"-1000000000-01-01T00:00:00Z", "+1000000000-12-31T23:59:59.999999999Z", "1969-12-31T23:59:59Z",
			"1970-01-01T00:00:00Z", "2026-07-01T12:00:00Z", "2026-07-01T12:04:59Z", "2026-07-11T12:00:00Z",
			"9999-12-31T23:59:59Z", "\u0000", "\uD800", new byte[0], new byte[] { -1 }, List.of(),
			List.of(Long.MAX_VALUE), List.of(Map.of("count", Long.MAX_VALUE, "time", new Date(Long.MIN_VALUE))),
			Map.of(), Map.of("time", List.of()));

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
				Usage.NONE, null, List.of()));
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
				Arguments.of(AppHeaders.CUMULATIVE_DELAY, -5), Arguments.of(AppHeaders.RETRY_HISTORY, 7),
				Arguments.of(AppHeaders.RETRY_HISTORY, List.of("a")),
				Arguments.of(AppHeaders.RETRY_HISTORY, "a\nforged line"));
	}

	@Test
	void tellsHowLongToWaitUnlessThatIsOverOrBeyondAllBounds() {
		assertThat(notBefore("2026-07-01T12:10:00Z")).isEqualTo(NOW.plusSeconds(600));
		assertThat(notBefore("2026-07-01T11:59:59Z")).isNull();
		assertThat(notBefore("2026-07-01T12:00:00Z")).isNull();
		assertThat(notBefore("2026-07-01T12:00:00.001Z")).isEqualTo(NOW.plusMillis(1));
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

	@Test
	void aFirstFailureInTheFutureMakesAMessageAsOldAsItsDelays() {
		DeliveryHistory history = DeliveryHistory.read(retried("2026-07-01T12:10:00Z", 90_000), NOW);
		assertThat(history.firstFailureAt()).isEqualTo(NOW.minusSeconds(90));
		assertThat(DeliveryHistory.read(retried("2026-07-01T12:00:30Z", 90_000), NOW).firstFailureAt())
			.isEqualTo(NOW.minusSeconds(90));
	}

	@Test
	void aFirstFailureInThePastIsBelievedWhateverTheDelays() {
		assertThat(DeliveryHistory.read(retried("2026-07-01T11:59:00Z", 90_000), NOW).firstFailureAt())
			.isEqualTo("2026-07-01T11:59:00Z");
	}

	private static Map<String, Object> retried(String first, long cumulativeDelay) {
		return Map.of(AppHeaders.RETRY_ATTEMPT, 2, AppHeaders.FIRST_FAILURE_AT, first, AppHeaders.LAST_FAILURE_AT,
				first, AppHeaders.CUMULATIVE_DELAY, cumulativeDelay);
	}

	@Test
	void waitsNoLongerThanAskedForWhenAnotherClockIsAhead() {
		Map<String, Object> headers = Map.of(AppHeaders.RETRY_NOT_BEFORE, "2026-07-01T12:10:00Z",
				AppHeaders.RETRY_DELAY, 5000L);
		assertThat(DeliveryHistory.read(headers, NOW).notBefore()).isEqualTo(NOW.plusSeconds(5));
	}

	@Test
	void boundsWhatIsCountedOn() {
		DeliveryHistory history = DeliveryHistory
			.read(Map.of(AppHeaders.RETRY_ATTEMPT, Integer.MAX_VALUE, AppHeaders.RETRY_LEVEL, Integer.MAX_VALUE), NOW);
		assertThat(history.attempt()).isEqualTo(1_000_000);
		assertThat(history.level()).isEqualTo(1_000_000);
	}

	/** Every header with every extreme value of every type that AMQP has. */
	@Test
	void everyValueOfEveryTypeLeavesSumsAndDifferencesThatFit() {
		for (String header : HEADERS) {
			for (Object value : EXTREMES) {
				for (Object other : EXTREMES) {
					Map<String, Object> headers = new HashMap<>(
							Map.of(AppHeaders.RETRY_ATTEMPT, 2, AppHeaders.CUMULATIVE_DELAY, 5000L));
					headers.put(BrokerHeaders.DEATH, List.of(Map.of("time", other)));
					headers.put(AppHeaders.LAST_FAILURE_AT, other);
					headers.put(header, value);
					assertBounded(DeliveryHistory.read(headers, NOW), headers);
				}
			}
		}
	}

	private static void assertBounded(DeliveryHistory history, Map<String, Object> headers) {
		assertThat(history.attempt()).as("%s", headers).isBetween(0, 1_000_000);
		assertThat(history.level()).as("%s", headers).isBetween(0, 1_000_000);
		assertThat(history.cumulativeDelay()).as("%s", headers).isBetween(Duration.ZERO, Duration.ofDays(36_500));
		assertThat(history.usage().plus(Long.MAX_VALUE, Long.MAX_VALUE).cost()).isEqualTo(Usage.LARGEST);
		for (Instant instant : Arrays.asList(history.firstFailureAt(), history.escalatedAt())) {
			if (instant != null) {
				assertThat(instant).as("%s", headers).isBetween(Instant.EPOCH, NOW);
			}
		}
		if (history.notBefore() != null) {
			assertThat(history.notBefore()).as("%s", headers).isBetween(NOW, NOW.plus(Duration.ofDays(10)));
		}
		assertThat(DeliveryHistory.clockAhead(headers, NOW)).isBetween(Duration.ZERO, Duration.ofDays(10));
		XDeath.last(headers);
	}

}
