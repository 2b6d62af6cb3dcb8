/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.metrics;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

import io.github.rabbitretry.classify.FailureClass;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class AccountingMetricsTests {

	private final MeterRegistry registry = new SimpleMeterRegistry();

	private final MicrometerDeliveryListener counted = new MicrometerDeliveryListener(this.registry, List.of("Order"),
			(messageType) -> 0);

	@Test
	void aDeliveryWithOneOutcomeBalances() {
		inFlight(() -> 0);
		for (int i = 0; i < 6; i++) {
			this.counted.received("Order");
		}
		this.counted.acknowledged("Order");
		this.counted.retried("Order", "DOWNSTREAM_TIMEOUT", FailureClass.TRANSIENT, Duration.ZERO);
		this.counted.postponed("Order");
		this.counted.parked("Order", "VALIDATION_FAILED", FailureClass.PERMANENT_TECHNICAL);
		this.counted.discarded("Order", "STALE_COMMAND");
		this.counted.returned("Order");
		assertThat(gap()).isZero();
	}

	@Test
	void aDeliveryInFlightBalances() {
		inFlight(() -> 1);
		this.counted.received("Order");
		assertThat(gap()).isZero();
		assertThat(gauge("rabbit.retry.in.flight")).isOne();
	}

	@Test
	void aDeliveryWithoutAnOutcomeIsAGap() {
		inFlight(() -> 0);
		this.counted.received("Order");
		assertThat(gap()).isOne();
	}

	@Test
	void aDeliveryWithTwoOutcomesIsAGapToo() {
		inFlight(() -> 0);
		this.counted.received("Order");
		this.counted.acknowledged("Order");
		this.counted.returned("Order");
		assertThat(gap()).isEqualTo(-1);
	}

	@Test
	void whatIsOnItsWayFromOneNumberToTheOtherIsNoGap() {
		AtomicLong looks = new AtomicLong();
		inFlight(() -> (looks.incrementAndGet() < 5) ? 0 : 1);
		this.counted.received("Order");
		assertThat(gap()).isZero();
		assertThat(looks).hasValue(5);
	}

	private void inFlight(LongSupplier number) {
		this.counted.accounting((type) -> number.getAsLong()).bindTo(this.registry);
	}

	private double gap() {
		return gauge("rabbit.retry.accounting.gap");
	}

	private double gauge(String name) {
		return this.registry.get(name).tag("message_type", "Order").gauge().value();
	}

}
