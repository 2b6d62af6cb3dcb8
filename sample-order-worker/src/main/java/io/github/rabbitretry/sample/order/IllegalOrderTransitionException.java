/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.order;

/**
 * An order can't become what a message asks for, now or ever.
 */
public class IllegalOrderTransitionException extends RuntimeException {

	IllegalOrderTransitionException(String orderId, OrderStatus from, OrderStatus to) {
		super("order %s is %s and can't become %s".formatted(orderId, from, to));
	}

}
