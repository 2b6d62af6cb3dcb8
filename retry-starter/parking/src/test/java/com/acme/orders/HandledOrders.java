/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package com.acme.orders;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.github.rabbitretry.deduplication.MessageDeduplicator;

class HandledOrders implements MessageDeduplicator {

	private final Set<String> handled = ConcurrentHashMap.newKeySet();

	@Override
	public boolean handle(String queue, String messageId, HandlerCall handler) throws Throwable {
		if (this.handled.contains(messageId)) {
			return false;
		}
		handler.run();
		this.handled.add(messageId);
		return true;
	}

}
