/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.migration;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Looks, before the first step, whether those have paused that must: a queue that is
 * consumed is not deleted, and what arrives until then would wait in the temporary one.
 */
final class PausedConsumers {

	/** Consumers of a process that was just killed are still there for a moment. */
	private static final int LOOKS = 10;

	private final ConsumerCount broker;

	private final Duration betweenLooks;

	PausedConsumers(ConsumerCount broker, Duration betweenLooks) {
		this.broker = broker;
		this.betweenLooks = betweenLooks;
	}

	/**
	 * Makes sure that nobody consumes.
	 * @param queues the queues that are to be deleted in the pause
	 * @throws MigrationException if one is still consumed
	 * @throws IOException if the broker does not tell
	 */
	void verify(List<String> queues) throws IOException {
		for (String queue : queues) {
			long consumers = this.broker.of(queue);
			for (int look = 1; look < LOOKS && consumers > 0; look++) {
				LockSupport.parkNanos(this.betweenLooks.toNanos());
				consumers = this.broker.of(queue);
			}
			if (consumers > 0) {
				throw new MigrationException(
						"Nothing is done: queue '%s' must be replaced or deleted, and has %s. Stop them, and apply again."
							.formatted(queue, counted(consumers)));
			}
		}
	}

	static String counted(long consumers) {
		return (consumers == 1) ? "1 consumer" : consumers + " consumers";
	}

	/**
	 * Tells how many consumers a queue has.
	 */
	interface ConsumerCount {

		long of(String queue) throws IOException;

	}

}
