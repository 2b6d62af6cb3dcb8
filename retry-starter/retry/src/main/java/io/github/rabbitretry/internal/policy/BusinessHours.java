/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.policy;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.zone.ZoneOffsetTransition;
import java.util.Set;

/**
 * When work is done. The local times count: where a change of the clocks skips the
 * opening time, the hours begin when the skipped time is over; where it repeats a time,
 * the first one opens and the last one closes.
 *
 * @param days the days of the week that are open, at least one
 * @param opens when they open, local time
 * @param closes when they close, local time, after {@code opens}; midnight is the end of
 * the day
 * @param zone whose local time it is
 * @param holidays days that are closed all the same
 */
public record BusinessHours(Set<DayOfWeek> days, LocalTime opens, LocalTime closes, ZoneId zone,
		Set<LocalDate> holidays) {

	/** More consecutive closed days than any calendar has. */
	private static final int FURTHEST = 400;

	public BusinessHours {
		days = Set.copyOf(days);
		holidays = Set.copyOf(holidays);
	}

	/**
	 * The next instant at which it is open.
	 * @param from the earliest instant
	 * @return {@code from} itself if it is open then, else the next opening; at the
	 * latest 400 days later
	 */
	public Instant nextOpen(Instant from) {
		LocalDate day = from.atZone(this.zone).toLocalDate();
		for (int ahead = 0; ahead <= FURTHEST; ahead++) {
			LocalDate candidate = day.plusDays(ahead);
			if (this.days.contains(candidate.getDayOfWeek()) && !this.holidays.contains(candidate)) {
				Instant opening = opening(candidate);
				if (from.isBefore(opening)) {
					return opening;
				}
				if (from.isBefore(closing(candidate))) {
					return from;
				}
			}
		}
		return from.atZone(this.zone).plusDays(FURTHEST).toInstant();
	}

	private Instant opening(LocalDate day) {
		LocalDateTime local = day.atTime(this.opens);
		ZoneOffsetTransition change = this.zone.getRules().getTransition(local);
		return (change != null && change.isGap()) ? change.getInstant()
				: ZonedDateTime.of(local, this.zone).toInstant();
	}

	private Instant closing(LocalDate day) {
		LocalDateTime local = (this.closes.equals(LocalTime.MIDNIGHT) ? day.plusDays(1) : day).atTime(this.closes);
		ZoneOffsetTransition change = this.zone.getRules().getTransition(local);
		return (change != null && change.isGap()) ? change.getInstant()
				: ZonedDateTime.of(local, this.zone).withLaterOffsetAtOverlap().toInstant();
	}

}
