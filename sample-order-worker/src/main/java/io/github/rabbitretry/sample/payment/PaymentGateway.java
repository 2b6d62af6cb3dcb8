/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.payment;

/**
 * Where money is captured.
 */
interface PaymentGateway {

	/**
	 * Captures money for an order, once however often it is asked: the order's id goes
	 * along as the idempotency key, since after a timeout it is not known whether the
	 * money is captured.
	 * @param payment what to capture
	 * @param attempt the broker attempts made
	 * @return what became of the payment
	 * @throws PaymentGatewayException if there was no answer in time
	 */
	PaymentStatus capture(CapturePaymentCommand payment, int attempt);

}
