/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.payment;

/**
 * What the gateway says about a payment.
 */
enum PaymentStatus {

	/** The money is ours. */
	CAPTURED,

	/** It was ours, and was paid back. */
	REFUNDED

}
