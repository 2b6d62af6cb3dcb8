/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.ledger;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcOperations;

/**
 * The database's clock, as this instance can tell without asking each time. Instances'
 * clocks differ; what is stored and what is compared with it comes from this one clock.
 */
final class DatabaseClock implements InstantSource {

	private static final Log logger = LogFactory.getLog(DatabaseClock.class);

	private static final Duration BETWEEN_MEASUREMENTS = Duration.ofMinutes(1);

	private static final Duration TOLERATED = Duration.ofSeconds(5);

	private final InstantSource local;

	private volatile @Nullable Measurement last;

	private volatile boolean warned;

	DatabaseClock(InstantSource local) {
		this.local = local;
	}

	@Override
	public Instant instant() {
		Measurement measurement = this.last;
		return (measurement != null) ? measurement.now() : this.local.instant();
	}

	/**
	 * Asks the database, at most once a minute.
	 * @param jdbc with a transaction that has just begun
	 */
	void measure(JdbcOperations jdbc) {
		Measurement before = this.last;
		long asked = System.nanoTime();
		if (before != null && asked - before.nanoTime() < BETWEEN_MEASUREMENTS.toNanos()) {
			return;
		}
		OffsetDateTime there = jdbc.queryForObject("select current_timestamp", OffsetDateTime.class);
		if (there != null) {
			Measurement measured = new Measurement(there.toInstant(), asked + (System.nanoTime() - asked) / 2);
			this.last = measured;
			warn(Duration.between(measured.now(), this.local.instant()));
		}
	}

	private void warn(Duration difference) {
		if (!this.warned && difference.abs().compareTo(TOLERATED) > 0) {
			this.warned = true;
			logger.warn(("The clock of this instance is %s %s the clock of the ledger's database. The ledger uses the"
					+ " database's clock; ages, delays and x-app-parked-at use the clocks of the instances. Synchronize them.")
				.formatted(difference.abs(), difference.isNegative() ? "behind" : "ahead of"));
		}
	}

	/**
	 * What time it was in the database. The time that has passed since is not taken from
	 * this instance's clock, which may be set.
	 *
	 * @param instant the database's time
	 * @param nanoTime when that was, as of {@link System#nanoTime()}
	 */
	private record Measurement(Instant instant, long nanoTime) {

		Instant now() {
			return this.instant.plusNanos(System.nanoTime() - this.nanoTime);
		}

	}

}
