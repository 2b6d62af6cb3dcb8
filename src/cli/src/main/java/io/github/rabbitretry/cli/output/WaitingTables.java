/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli.output;

import tools.jackson.databind.JsonNode;

/**
 * What waits, as tables.
 */
public final class WaitingTables {

	private WaitingTables() {
	}

	/**
	 * What waits for its next attempt or for somebody.
	 * @param answer retry queues and parking lots
	 * @param display how it is shown
	 * @return tables of those that are not empty
	 */
	public static String waiting(JsonNode answer, Display display) {
		Table waiting = new Table(display, "WAITING:", "TYPE", "DELAY!", "ALL BACK BY!", "QUEUE");
		for (JsonNode queue : answer.path("waiting")) {
			if (queue.path("messages").asLong(0) > 0) {
				waiting.row(Node.text(queue, "messages"),
						queue.hasNonNull("messageType") ? Node.text(queue, "messageType") : "(shared)",
						Times.duration(Node.text(queue, "delay")), display.times().brief(Node.text(queue, "backBy")),
						Node.text(queue, "queue"));
			}
		}
		Table parked = new Table(display, "PARKED:", "TYPE", "OWNER", "QUEUE");
		for (JsonNode queue : answer.path("parked")) {
			if (queue.path("messages").asLong(0) > 0) {
				parked.row(Node.text(queue, "messages"), Node.text(queue, "messageType"), Node.text(queue, "owner"),
						Node.text(queue, "queue"));
			}
		}
		String first = waiting.text();
		String second = parked.text();
		return first + ((first.isEmpty() || second.isEmpty()) ? "" : "\n") + second;
	}

}
