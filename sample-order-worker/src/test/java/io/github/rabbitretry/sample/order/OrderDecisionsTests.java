/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.order;

import java.time.Duration;

import io.github.rabbitretry.simulation.SimulatedLoad;
import io.github.rabbitretry.simulation.Simulation;
import io.github.rabbitretry.test.RetryDecisions;
import org.junit.jupiter.api.Test;

import org.springframework.dao.OptimisticLockingFailureException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the worker's YAML decides about orders.
 */
class OrderDecisionsTests {

	private final RetryDecisions decisions = RetryDecisions.ofApplication();

	@Test
	void aLostLockIsTriedAgainFiveTimesAndThenParked() {
		var lost = this.decisions.of("CreateOrderCommand").failing(new OptimisticLockingFailureException("lost"));
		lost.isRetriedAfter(Duration.ofSeconds(5)).hasReason("OPTIMISTIC_LOCK_CONFLICT");
		lost.atAttempt(1).isRetriedAfter(Duration.ofSeconds(30));
		lost.atAttempt(4).isRetriedAfter(Duration.ofMinutes(30));
		lost.atAttempt(5).isParkedBecause("RETRY_BUDGET_EXHAUSTED");
	}

	@Test
	void anOutageOfFiveMinutesParksNothing() {
		Simulation simulation = this.decisions.of("CreateOrderCommand")
			.simulate(SimulatedLoad.of(50, Duration.ofMinutes(5)));
		assertThat(simulation.allParked()).isZero();
	}

	@Test
	void whatCanNeverSucceedIsParkedAtOnce() {
		var order = this.decisions.of("CreateOrderCommand");
		order.failing(new UnsupportedSchemaVersionException(9, 1, 2)).isParkedBecause("UNSUPPORTED_SCHEMA_VERSION");
		order.failing(new IllegalOrderTransitionException("o-1", OrderStatus.PAID, OrderStatus.REFUNDED))
			.isParkedBecause("ILLEGAL_BUSINESS_TRANSITION");
	}

}
