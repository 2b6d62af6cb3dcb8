/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.payment;

import java.net.SocketTimeoutException;
import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class SimulatedGatewayTests {

	private final PaymentGateway gateway = new SimulatedGateway(Duration.ofMillis(800));

	@Test
	void anOrdinaryCardIsCaptured() {
		assertThat(capture("tok_visa", 0)).isEqualTo(PaymentStatus.CAPTURED);
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1 })
	void aCardThatTimesOutTwiceFailsItsFirstTwoAttempts(int attempt) {
		assertThatExceptionOfType(PaymentGatewayException.class).isThrownBy(() -> capture("tok_timeout_2", attempt))
			.withCauseInstanceOf(SocketTimeoutException.class);
	}

	@Test
	void aCardThatTimesOutTwiceIsCapturedAtTheThirdAttempt() {
		assertThat(capture("tok_timeout_2", 2)).isEqualTo(PaymentStatus.CAPTURED);
	}

	@Test
	void aSlowCardTimesOutHoweverOftenItIsTried() {
		assertThatExceptionOfType(PaymentGatewayException.class).isThrownBy(() -> capture("tok_slow", 1_000_000));
	}

	@Test
	void aSlowCardIsCapturedByWhoeverWaitsLongEnough() {
		PaymentGateway patient = new SimulatedGateway(SimulatedGateway.SLOW);
		assertThat(patient.capture(new CapturePaymentCommand("1", "tok_slow", 4200), 0))
			.isEqualTo(PaymentStatus.CAPTURED);
	}

	@Test
	void aRefundedPaymentIsToldAsSuch() {
		assertThat(capture("tok_refunded", 0)).isEqualTo(PaymentStatus.REFUNDED);
	}

	private PaymentStatus capture(String card, int attempt) {
		return this.gateway.capture(new CapturePaymentCommand("1", card, 4200), attempt);
	}

}
