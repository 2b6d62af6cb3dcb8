/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.payment;

import java.net.SocketTimeoutException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.springframework.stereotype.Component;

/**
 * A simulated payment gateway, flaky on demand like a payment sandbox with its test
 * cards: {@code tok_timeout_2} times out for attempts 0 and 1, {@code tok_timeout_always}
 * for all, {@code tok_refunded} was paid back, all other cards are captured.
 * <p>
 * It goes by the attempt that it is told and counts nothing itself, so that it is as
 * flaky after a restart as before.
 */
@Component
class PaymentGateway {

	private static final String TIMEOUT = "tok_timeout_";

	private static final long TIMEOUT_MILLIS = 5;

	PaymentStatus capture(String orderId, String card, long cents, int attempt) {
		if (card.startsWith(TIMEOUT) && attempt < failures(card.substring(TIMEOUT.length()))) {
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MILLIS));
			throw new PaymentGatewayException("capturing %d cents for order %s failed".formatted(cents, orderId),
					new SocketTimeoutException("no answer within %d ms".formatted(TIMEOUT_MILLIS)));
		}
		return card.equals("tok_refunded") ? PaymentStatus.REFUNDED : PaymentStatus.CAPTURED;
	}

	private static int failures(String text) {
		return text.equals("always") ? Integer.MAX_VALUE : Integer.parseInt(text);
	}

}
