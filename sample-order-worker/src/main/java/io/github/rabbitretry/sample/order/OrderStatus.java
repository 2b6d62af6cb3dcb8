/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.order;

/**
 * Where an order stands.
 */
public enum OrderStatus {

	/** Taken, not paid. */
	CREATED,

	/** Paid. */
	PAID,

	/** Paid back, which is the end of it. */
	REFUNDED;

	boolean mayBecome(OrderStatus next) {
		return next.ordinal() > ordinal();
	}

}
