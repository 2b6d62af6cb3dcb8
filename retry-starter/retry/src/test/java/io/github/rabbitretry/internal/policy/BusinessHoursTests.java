/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.policy;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class BusinessHoursTests {

	private static final Set<DayOfWeek> WORKING_DAYS = EnumSet.range(DayOfWeek.MONDAY, DayOfWeek.FRIDAY);

	private static final BusinessHours OFFICE = new BusinessHours(WORKING_DAYS, LocalTime.of(9, 0), LocalTime.of(17, 0),
			ZoneId.of("Europe/Berlin"), Set.of(LocalDate.of(2026, 12, 25)));

	@ParameterizedTest
	@CsvSource({
			// on a Thursday in winter, an hour ahead of UTC
			"2026-11-19T07:59:59Z, 2026-11-19T08:00:00Z", "2026-11-19T08:00:00Z, 2026-11-19T08:00:00Z",
			"2026-11-19T12:34:56.789Z, 2026-11-19T12:34:56.789Z", "2026-11-19T15:59:59.999Z, 2026-11-19T15:59:59.999Z",
			"2026-11-19T16:00:00Z, 2026-11-20T08:00:00Z",
			// over a weekend, and over Christmas before a weekend
			"2026-11-20T16:00:00Z, 2026-11-23T08:00:00Z", "2026-12-24T16:00:00Z, 2026-12-28T08:00:00Z",
			// the clocks change on Sunday 29 March and on Sunday 25 October
			"2026-03-27T16:00:00Z, 2026-03-30T07:00:00Z", "2026-10-23T15:00:00Z, 2026-10-26T08:00:00Z" })
	void theNextOpeningIsInLocalTime(Instant from, Instant open) {
		assertThat(OFFICE.nextOpen(from)).isEqualTo(open);
	}

	@ParameterizedTest
	@CsvSource({
			// 02:30 does not exist: the day begins at 03:00
			"02:30, 04:00, 2026-03-29T00:00:00Z, 2026-03-29T01:00:00Z",
			"02:30, 04:00, 2026-03-29T01:59:59Z, 2026-03-29T01:59:59Z",
			"02:30, 04:00, 2026-03-29T02:00:00Z, 2026-03-30T00:30:00Z",
			// neither does the closing time
			"01:00, 02:30, 2026-03-29T00:59:59Z, 2026-03-29T00:59:59Z",
			"01:00, 02:30, 2026-03-29T01:00:00Z, 2026-03-29T23:00:00Z",
			// 02:30 comes twice: it opens at the first and closes at the second
			"02:30, 04:00, 2026-10-24T23:00:00Z, 2026-10-25T00:30:00Z",
			"01:00, 02:30, 2026-10-25T01:29:59Z, 2026-10-25T01:29:59Z",
			"01:00, 02:30, 2026-10-25T01:30:00Z, 2026-10-26T00:00:00Z" })
	void timesThatAChangeOfTheClocksSkipsOrRepeatsAreKept(LocalTime opens, LocalTime closes, Instant from,
			Instant open) {
		BusinessHours hours = new BusinessHours(EnumSet.allOf(DayOfWeek.class), opens, closes,
				ZoneId.of("Europe/Berlin"), Set.of());
		assertThat(hours.nextOpen(from)).isEqualTo(open);
	}

	@Test
	void midnightIsTheEndOfTheDay() {
		BusinessHours hours = new BusinessHours(WORKING_DAYS, LocalTime.MIDNIGHT, LocalTime.MIDNIGHT, ZoneId.of("UTC"),
				Set.of());
		Instant late = Instant.parse("2026-11-20T23:59:59.999Z");
		assertThat(hours.nextOpen(late)).isEqualTo(late);
		assertThat(hours.nextOpen(late.plusMillis(1))).isEqualTo("2026-11-23T00:00:00Z");
	}

	@Test
	void hoursThatNeverOpenEndTheSearch() {
		Set<LocalDate> always = LocalDate.of(2026, 1, 1)
			.datesUntil(LocalDate.of(2029, 1, 1))
			.collect(Collectors.toSet());
		BusinessHours hours = new BusinessHours(WORKING_DAYS, LocalTime.NOON, LocalTime.MIDNIGHT, ZoneId.of("UTC"),
				always);
		assertThat(hours.nextOpen(Instant.parse("2026-11-20T00:00:00Z"))).isEqualTo("2027-12-25T00:00:00Z");
	}

}
