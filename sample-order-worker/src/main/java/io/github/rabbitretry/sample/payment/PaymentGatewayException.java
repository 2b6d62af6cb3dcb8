/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.payment;

/**
 * The gateway did not do what it was asked for.
 */
class PaymentGatewayException extends RuntimeException {

	PaymentGatewayException(String message, Throwable cause) {
		super(message, cause);
	}

}
