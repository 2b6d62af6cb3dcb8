/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli.output;

import java.util.List;
import java.util.Map;

import tools.jackson.databind.JsonNode;

/**
 * What waits, as tables.
 */
public final class WaitingTables {

	private WaitingTables() {
	}

	/**
	 * Messages that wait for their next attempt or for an operator.
	 * @param answer retry queues and parking lots
	 * @param display how it is shown
	 * @return tables of those that are not empty
	 */
	public static String waiting(JsonNode answer, Display display) {
		String waiting = new Table(display, "WAITING:=messages", "TYPE", "DELAY!", "ALL BACK BY!=backBy~",
				"QUEUE=queue")
			.rows(filled(answer.path("waiting")),
					Map.of("TYPE",
							(queue) -> queue.hasNonNull("messageType") ? FieldText.text(queue, "messageType")
									: "(shared)",
							"DELAY", (queue) -> Times.duration(FieldText.text(queue, "delay"))))
			.text();
		String parked = new Table(display, "PARKED:=messages", "TYPE=messageType", "OWNER=owner", "QUEUE=queue")
			.rows(filled(answer.path("parked")))
			.text();
		return waiting + ((waiting.isEmpty() || parked.isEmpty()) ? "" : "\n") + parked;
	}

	private static List<JsonNode> filled(JsonNode queues) {
		return queues.valueStream().filter((queue) -> queue.path("messages").asLong(0) > 0).toList();
	}

}
