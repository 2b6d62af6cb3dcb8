/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.configuration;

import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

import io.github.rabbitretry.internal.policy.BusinessHours;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Business hours.
 *
 * @param days Days of the week with business hours. Default is MONDAY to FRIDAY.
 * @param opens Local time at which business hours begin. Default is 09:00.
 * @param closes Local time at which business hours end; 00:00 is the end of the day.
 * Default is 17:00.
 * @param zone Time zone of these times, such as Europe/Berlin; required for the calendar
 * back-off.
 * @param holidays Days that are closed, such as 2026-12-25.
 */
record CalendarProperties(@DefaultValue( {
		"MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY" }) List<String> days,
		@DefaultValue("09:00") String opens, @DefaultValue("17:00") String closes, @Nullable String zone,
		@DefaultValue List<String> holidays){

	/** YAML 1.1 reads an unquoted 17:00 as seventeen times sixty. */
	private static final int ONE_HOUR = 60;

	private static final int ONE_DAY = 24 * 60;

	/**
	 * Reads the hours.
	 * @param from when they have to be open often enough from
	 * @param maxRetryAge the longest time that a message is retried
	 * @return the hours
	 */
	BusinessHours hours(Instant from, Duration maxRetryAge) {
		LocalTime opensAt = time("calendar.opens", this.opens);
		LocalTime closesAt = time("calendar.closes", this.closes);
		if (!closesAt.equals(LocalTime.MIDNIGHT) && !closesAt.isAfter(opensAt)) {
			throw Checks.invalid("calendar.closes", closesAt,
					"must be after calendar.opens (%s) of the same day".formatted(opensAt),
					"Hours over midnight are not supported; 00:00 closes at the end of the day.");
		}
		BusinessHours hours = new BusinessHours(openDays(), opensAt, closesAt, zoneId(), closedDays());
		Duration closed = longestClosure(hours, from);
		if (closed.compareTo(maxRetryAge) > 0) {
			throw Checks.invalid("max-retry-age", maxRetryAge,
					"must be >= the longest time that the calendar is closed (%s), or what fails before it is parked"
						.formatted(closed),
					"Raise it.");
		}
		return hours;
	}

	/** Over the next year and all holidays, each of which may follow a weekend. */
	private Duration longestClosure(BusinessHours hours, Instant from) {
		Instant end = from.plus(Duration.ofDays(366));
		Duration longest = Duration.ZERO;
		Instant day = hours.nextOpen(from);
		while (day.isBefore(end)) {
			LocalDate date = day.atZone(hours.zone()).toLocalDate();
			Instant closing = hours.closes().equals(LocalTime.MIDNIGHT)
					? date.plusDays(1).atStartOfDay(hours.zone()).toInstant()
					: date.atTime(hours.closes()).atZone(hours.zone()).toInstant();
			Instant next = hours.nextOpen(closing);
			Duration closed = Duration.between(closing, next);
			longest = (closed.compareTo(longest) > 0) ? closed : longest;
			day = next.equals(closing) ? hours.nextOpen(closing.plusSeconds(1)) : next;
		}
		return longest;
	}

	private Set<DayOfWeek> openDays() {
		Set<DayOfWeek> days = EnumSet.noneOf(DayOfWeek.class);
		for (String day : this.days) {
			String name = day.strip().toUpperCase(Locale.ROOT);
			DayOfWeek found = List.of(DayOfWeek.values())
				.stream()
				.filter((candidate) -> candidate.name().equals(name) || candidate.name().substring(0, 3).equals(name))
				.findFirst()
				.orElseThrow(
						() -> Checks.invalid("calendar.days", day, "is no day of the week", "Write MONDAY or MON."));
			days.add(found);
		}
		if (days.isEmpty()) {
			throw Checks.invalid("calendar.days", "[]", "must have at least one day",
					"Leave the key out for MONDAY to FRIDAY.");
		}
		return days;
	}

	private LocalTime time(String key, String text) {
		String given = text.strip();
		try {
			if (given.matches("\\d{2,4}") && Integer.parseInt(given) >= ONE_HOUR && Integer.parseInt(given) < ONE_DAY) {
				return LocalTime.ofSecondOfDay(Integer.parseInt(given) * 60L);
			}
			return LocalTime.parse(given.matches("\\d:.*") ? "0" + given : given);
		}
		catch (DateTimeException ex) {
			throw Checks.invalid(key, given, "is no time of the day", "Write \"09:00\", in quotes.");
		}
	}

	private ZoneId zoneId() {
		if (this.zone == null || this.zone.isBlank()) {
			throw Checks.invalid("calendar.zone", "", "must be set when retry-backoff is calendar",
					"Write the zone whose local time counts, Europe/Berlin.");
		}
		try {
			return ZoneId.of(this.zone.strip());
		}
		catch (DateTimeException ex) {
			throw Checks.invalid("calendar.zone", this.zone, "is no time zone",
					"Write it as the time zone database does, Europe/Berlin.");
		}
	}

	private Set<LocalDate> closedDays() {
		Set<LocalDate> holidays = new TreeSet<>();
		for (String holiday : this.holidays) {
			try {
				holidays.add(LocalDate.parse(holiday.strip()));
			}
			catch (DateTimeException ex) {
				throw Checks.invalid("calendar.holidays", holiday, "is no date", "Write 2026-12-25.");
			}
		}
		return holidays;
	}

}
