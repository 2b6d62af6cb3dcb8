/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.replay;

import java.time.Duration;
import java.time.InstantSource;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

import javax.sql.DataSource;

import io.github.rabbitretry.internal.depth.ParkedDepths;
import io.github.rabbitretry.internal.parking.ledger.LedgerCounts;
import io.github.rabbitretry.internal.parking.ledger.LedgerSchema;
import io.github.rabbitretry.internal.parking.ledger.SchemaInitialization;
import org.awaitility.Awaitility;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ParkedDepthsTests {

	@Test
	void beforeTheDatabaseHasAnsweredNobodySaysThatNothingIsParked() {
		CompletableFuture<Void> answers = new CompletableFuture<>();
		try (ParkedDepths depths = depths("jdbc:h2:mem:%s;DB_CLOSE_DELAY=-1".formatted(UUID.randomUUID()), answers)) {
			assertThat(depths.count("Order")).isNaN();
			answers.complete(null);
			Awaitility.await().until(() -> depths.count("Order") == 0);
			assertThat(depths.oldestAgeSeconds("Order")).isZero();
		}
	}

	@Test
	void norIfItCanNotBeReached() {
		try (ParkedDepths depths = depths("jdbc:h2:mem:%s;IFEXISTS=TRUE".formatted(UUID.randomUUID()),
				CompletableFuture.completedFuture(null))) {
			Awaitility.await()
				.during(Duration.ofMillis(300))
				.until(() -> Double.isNaN(depths.count("Order")) && Double.isNaN(depths.oldestAgeSeconds("Order")));
		}
	}

	private static ParkedDepths depths(String url, CompletableFuture<Void> answers) {
		JdbcDataSource h2 = new JdbcDataSource();
		h2.setUrl(url);
		DataSource dataSource = h2;
		LedgerCounts counts = new LedgerCounts(new LedgerSchema(dataSource, SchemaInitialization.ALWAYS));
		return new ParkedDepths(() -> answers.thenApply((answered) -> counts.parked()).join(), Duration.ofMillis(10),
				InstantSource.system());
	}

}
