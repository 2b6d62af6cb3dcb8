/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it.listeners;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What all handlers do: count a message's calls, and fail as its outcome asks for.
 */
final class HandlerCalls {

	private static final Map<String, Integer> calls = new ConcurrentHashMap<>();

	private HandlerCalls() {
	}

	/**
	 * Handles a message.
	 * @param id the message's id
	 */
	static void handle(String id) {
		Outcome.handle(id, calls.merge(id, 1, Integer::sum));
	}

	/**
	 * Counts.
	 * @param id a message's id
	 * @return how often it was handled
	 */
	static int of(String id) {
		return calls.getOrDefault(id, 0);
	}

}
