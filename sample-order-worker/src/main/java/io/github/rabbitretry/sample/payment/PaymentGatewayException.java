/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.payment;

/**
 * The payment gateway failed.
 */
class PaymentGatewayException extends RuntimeException {

	PaymentGatewayException(String message, Throwable cause) {
		super(message, cause);
	}

}
