/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.ledger;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;

import org.assertj.core.api.Assertions;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class DatabaseClockTests {

	private final JdbcTemplate database = new JdbcTemplate(h2());

	private static JdbcDataSource h2() {
		JdbcDataSource dataSource = new JdbcDataSource();
		dataSource.setUrl("jdbc:h2:mem:" + UUID.randomUUID());
		return dataSource;
	}

	@Test
	void anInstanceTenMinutesAheadUsesTheDatabasesTimeAndWarnsOnce(CapturedOutput output) {
		InstantSource ahead = () -> Instant.now().plus(Duration.ofMinutes(10));
		DatabaseClock clock = new DatabaseClock(ahead);
		clock.measure(this.database);
		clock.measure(this.database);
		assertThat(clock.instant()).isCloseTo(Instant.now(),
				Assertions.within(5, java.time.temporal.ChronoUnit.SECONDS));
		assertThat(output.getOut().split("ahead of the clock of the ledger's database", -1)).hasSize(2);
		assertThat(output).contains("Synchronize them");
	}

	@Test
	void aClockThatIsSetBetweenTwoMeasurementsChangesNothing() {
		AtomicReference<Instant> local = new AtomicReference<>(Instant.now());
		DatabaseClock clock = new DatabaseClock(local::get);
		clock.measure(this.database);
		local.set(Instant.now().plus(Duration.ofDays(400)));
		assertThat(clock.instant()).isCloseTo(Instant.now(),
				Assertions.within(5, java.time.temporal.ChronoUnit.SECONDS));
	}

	@Test
	void anInstanceThatIsOnTimeDoesNotWarn(CapturedOutput output) {
		DatabaseClock clock = new DatabaseClock(InstantSource.system());
		clock.measure(this.database);
		assertThat(clock.instant()).isCloseTo(Instant.now(),
				Assertions.within(5, java.time.temporal.ChronoUnit.SECONDS));
		assertThat(output).doesNotContain("Synchronize");
	}

}
