/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it;

import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Sends messages with a header whose value is a table in a table in a table. The client
 * reads and writes tables recursively, so that a deep one ends the thread that reads it.
 */
public final class NestedHeader {

	/** Enough to overflow the stack of a thread of the client, and small for a frame. */
	private static final int DEPTH = 8_000;

	private static final long STACK = 512L * 1024 * 1024;

	private NestedHeader() {
	}

	/**
	 * Publishes a message that no consumer with threads of the usual kind can receive.
	 * @param broker the broker
	 * @param queue the queue
	 * @param id the message id
	 */
	public static void send(TestBroker broker, String queue, String id) {
		Map<String, Object> table = Map.of();
		for (int level = 0; level < DEPTH; level++) {
			table = Map.of("n", table);
		}
		Map<String, Object> headers = table;
		CompletableFuture<Void> sent = new CompletableFuture<>();
		new Thread(null, () -> {
			try {
				broker.send(queue, TestBroker.json(id).headers(headers).build(), "{}");
				sent.complete(null);
			}
			catch (Throwable ex) {
				sent.completeExceptionally(ex);
			}
		}, "deep", STACK).start();
		sent.join();
	}

}
