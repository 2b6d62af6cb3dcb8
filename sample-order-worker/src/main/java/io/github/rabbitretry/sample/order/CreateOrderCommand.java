/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.order;

/**
 * Asks for an order to be created.
 *
 * @param schemaVersion the version of this message's format
 * @param orderId identifies the order
 * @param customerId who orders
 * @param sku what is ordered
 * @param quantity how much of it
 */
record CreateOrderCommand(int schemaVersion, String orderId, String customerId, String sku, int quantity) {

	private static final int OLDEST = 1;

	void requireSchemaUpTo(int newest) {
		if (this.schemaVersion < OLDEST || this.schemaVersion > newest) {
			throw new UnsupportedSchemaVersionException(this.schemaVersion, OLDEST, newest);
		}
	}

}
