/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.event;

/**
 * Something happened to an order. May be published more than once.
 *
 * @param type what happened, which is the routing key too
 * @param orderId identifies the order
 * @param attempt how many attempts had failed before, 0 or more
 */
public record OrderEvent(String type, String orderId, int attempt) {

	/** An order was created. */
	public static final String ORDER_CREATED = "order.created";

	/** An order was paid. */
	public static final String PAYMENT_CAPTURED = "order.paid";

	/** The CRM knows an order's customer. */
	public static final String CUSTOMER_SYNCED = "order.customer-synced";

}
