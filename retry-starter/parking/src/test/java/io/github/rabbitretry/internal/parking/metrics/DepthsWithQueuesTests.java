/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.metrics;

import java.time.Instant;
import java.util.Map;
import java.util.function.Supplier;

import io.github.rabbitretry.internal.depth.ParkedDepth;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.AmqpConnectException;
import org.springframework.dao.DataAccessResourceFailureException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class DepthsWithQueuesTests {

	private static final Instant EARLY = Instant.parse("2026-07-01T12:00:00Z");

	private static final Instant LATE = EARLY.plusSeconds(60);

	private Supplier<Map<String, ParkedDepth>> ledger = Map::of;

	private Supplier<Map<String, ParkedDepth>> queues = Map::of;

	private final DepthsWithQueues depths = new DepthsWithQueues(() -> this.ledger.get(), () -> this.queues.get());

	@Test
	void countWhatIsInTheLedgerAndWhatIsStillInTheQueue() {
		this.ledger = () -> Map.of("Order", new ParkedDepth(3, LATE), "Refund", new ParkedDepth(1, LATE));
		this.queues = () -> Map.of("Order", new ParkedDepth(2, EARLY), "Refund", ParkedDepth.NONE);
		assertThat(this.depths.get())
			.isEqualTo(Map.of("Order", new ParkedDepth(5, EARLY), "Refund", new ParkedDepth(1, LATE)));
	}

	@Test
	void countTheLedgerAloneIfTheBrokerDoesNotTell() {
		this.ledger = () -> Map.of("Order", new ParkedDepth(3, LATE));
		this.queues = () -> Map.of("Order", ParkedDepth.UNKNOWN);
		assertThat(this.depths.get()).isEqualTo(Map.of("Order", new ParkedDepth(3, LATE)));
		this.queues = () -> {
			throw new AmqpConnectException(new IllegalStateException("gone"));
		};
		assertThat(this.depths.get()).isEqualTo(Map.of("Order", new ParkedDepth(3, LATE)));
	}

	@Test
	void goOnCountingTheQueueWhileTheDatabaseIsAway() {
		this.ledger = () -> Map.of("Order", new ParkedDepth(3, EARLY));
		this.depths.get();
		this.ledger = () -> {
			throw new DataAccessResourceFailureException("gone");
		};
		this.queues = () -> Map.of("Order", new ParkedDepth(4, LATE));
		assertThat(this.depths.get()).isEqualTo(Map.of("Order", new ParkedDepth(7, EARLY)));
	}

	@Test
	void areUnknownUntilTheDatabaseHasAnswered() {
		this.ledger = () -> {
			throw new DataAccessResourceFailureException("gone");
		};
		assertThatExceptionOfType(DataAccessResourceFailureException.class).isThrownBy(this.depths::get);
	}

}
