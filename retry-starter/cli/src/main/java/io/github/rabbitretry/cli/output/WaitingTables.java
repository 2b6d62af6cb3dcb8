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
				waiting.row(FieldText.text(queue, "messages"),
						queue.hasNonNull("messageType") ? FieldText.text(queue, "messageType") : "(shared)",
						Times.duration(FieldText.text(queue, "delay")),
						display.times().brief(FieldText.text(queue, "backBy")), FieldText.text(queue, "queue"));
			}
		}
		Table parked = new Table(display, "PARKED:", "TYPE", "OWNER", "QUEUE");
		for (JsonNode queue : answer.path("parked")) {
			if (queue.path("messages").asLong(0) > 0) {
				parked.row(FieldText.text(queue, "messages"), FieldText.text(queue, "messageType"),
						FieldText.text(queue, "owner"), FieldText.text(queue, "queue"));
			}
		}
		String first = waiting.text();
		String second = parked.text();
		return first + ((first.isEmpty() || second.isEmpty()) ? "" : "\n") + second;
	}

}
