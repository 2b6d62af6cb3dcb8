/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.order;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.stereotype.Component;

/**
 * A simulated warehouse with optimistic locking. Like a payment sandbox's test cards,
 * there is an article for the bad day: another process always changes the stock of
 * {@value #CONTENDED} between the first read and write of an order.
 */
@Component
class Inventory {

	static final String CONTENDED = "SKU-CONTENDED";

	private final Set<String> tried = ConcurrentHashMap.newKeySet();

	void reserve(String orderId, String sku, int quantity) {
		if (sku.equals(CONTENDED) && this.tried.add(orderId)) {
			throw new OptimisticLockingFailureException(
					"the stock of %s changed while %s were reserved for order %s".formatted(sku, quantity, orderId));
		}
	}

}
