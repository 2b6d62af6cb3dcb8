/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.topology;

import org.jspecify.annotations.Nullable;

/**
 * The topology of one message type and how an application uses it.
 *
 * @param messageType the name of its message policy
 * @param owner the team that owns the message type
 * @param topology its queues, exchanges and bindings
 * @param quarantined whether the application consumes the quarantine queue
 * @param rejectionExchange the exchange that business rejections are published to, or
 * {@code null} if they are not published
 */
public record TypeTopology(String messageType, String owner, MessageTopology topology, boolean quarantined,
		@Nullable String rejectionExchange) {

	/**
	 * The work queue.
	 * @return its name
	 */
	public String queue() {
		return this.topology.queue();
	}

}
