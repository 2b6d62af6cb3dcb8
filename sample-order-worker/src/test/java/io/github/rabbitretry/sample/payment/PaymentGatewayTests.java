/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.payment;

import java.net.SocketTimeoutException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class PaymentGatewayTests {

	private final PaymentGateway gateway = new PaymentGateway();

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
	void aCardMayTimeOutForGood() {
		assertThatExceptionOfType(PaymentGatewayException.class)
			.isThrownBy(() -> capture("tok_timeout_always", 1_000_000));
	}

	@Test
	void aRefundedPaymentIsToldAsSuch() {
		assertThat(capture("tok_refunded", 0)).isEqualTo(PaymentStatus.REFUNDED);
	}

	private PaymentStatus capture(String card, int attempt) {
		return this.gateway.capture("1", card, 4200, attempt);
	}

}
