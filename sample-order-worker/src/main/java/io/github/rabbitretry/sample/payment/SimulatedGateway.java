/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.payment;

import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A simulated gateway. Some cards choose how it answers: {@code tok_timeout_2} times out
 * twice, {@code tok_slow} is answered after two seconds, and {@code tok_refunded} was
 * paid back. It keeps nothing, since it would be a process of its own.
 */
class SimulatedGateway implements PaymentGateway {

	static final Duration SLOW = Duration.ofSeconds(2);

	private static final String TIMEOUT = "tok_timeout_";

	/** A simulation does not take as long as it says. */
	private static final long WAIT_MILLIS = 5;

	private final Duration timeout;

	SimulatedGateway(Duration timeout) {
		this.timeout = timeout;
	}

	@Override
	public PaymentStatus capture(CapturePaymentCommand payment, int attempt) {
		if (late(payment.card(), attempt)) {
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(WAIT_MILLIS));
			throw new PaymentGatewayException(
					"capturing %s cents for order %s failed".formatted(payment.cents(), payment.orderId()),
					new SocketTimeoutException("no answer within %s ms".formatted(this.timeout.toMillis())));
		}
		return payment.card().equals("tok_refunded") ? PaymentStatus.REFUNDED : PaymentStatus.CAPTURED;
	}

	private boolean late(String card, int attempt) {
		if (card.startsWith(TIMEOUT)) {
			return attempt < Integer.parseInt(card.substring(TIMEOUT.length()));
		}
		return card.equals("tok_slow") && this.timeout.compareTo(SLOW) < 0;
	}

}
