/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.ledger;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

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

	private volatile Duration ahead = Duration.ZERO;

	private volatile long measureAt = System.nanoTime();

	private volatile boolean warned;

	DatabaseClock(InstantSource local) {
		this.local = local;
	}

	@Override
	public Instant instant() {
		return this.local.instant().minus(this.ahead);
	}

	/**
	 * Asks the database, at most once a minute.
	 * @param jdbc with a transaction that has just begun
	 */
	void measure(JdbcOperations jdbc) {
		long now = System.nanoTime();
		if (this.measureAt - now > 0) {
			return;
		}
		Instant before = this.local.instant();
		OffsetDateTime there = jdbc.queryForObject(LedgerDialect.NOW, OffsetDateTime.class);
		Instant after = this.local.instant();
		if (there != null) {
			this.ahead = Duration.between(there.toInstant(), before.plus(Duration.between(before, after).dividedBy(2)));
			this.measureAt = now + BETWEEN_MEASUREMENTS.toNanos();
			warn(this.ahead);
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

}
