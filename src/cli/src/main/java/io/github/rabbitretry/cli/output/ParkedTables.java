/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli.output;

import tools.jackson.databind.JsonNode;

/**
 * What {@code parkinglot} answers, as tables.
 */
public final class ParkedTables {

	private ParkedTables() {
	}

	/**
	 * Messages.
	 * @param answer a page of them
	 * @param whole whether long cells are shown whole
	 * @return a table
	 */
	public static String messages(JsonNode answer, boolean whole) {
		Table table = new Table(whole, "ID", "STATE", "PARKED AT", "QUEUE", "TYPE", "OWNER", "REASON", "FAILED OF",
				"CLASS", "TRIES:", "MESSAGE ID");
		for (JsonNode message : answer.path("messages")) {
			String state = Node.text(message, "state");
			String failure = Node.text(message, "failureReason");
			table.row(Node.text(message, "id"), state.equals("PARKED") ? "" : state, Node.time(message, "parkedAt"),
					Node.text(message, "queue"), Node.text(message, "messageType"), Node.text(message, "owner"),
					Node.text(message, "reason"), failure.equals(Node.text(message, "reason")) ? "" : failure,
					Node.text(message, "failureClass"), Node.text(message, "attempts"),
					Node.text(message, "messageId"));
		}
		return table.text();
	}

	/**
	 * Groups.
	 * @param answer the groups
	 * @param whole whether long cells are shown whole
	 * @return a table
	 */
	public static String groups(JsonNode answer, boolean whole) {
		Table table = new Table(whole, "COUNT:", "FINGERPRINT", "FIRST PARKED", "LAST PARKED", "QUEUE", "TYPE", "OWNER",
				"REASON", "CLASS", "EXCEPTION", "VERSIONS");
		for (JsonNode group : answer.path("groups")) {
			table.row(Node.text(group, "count"), Node.text(group, "fingerprint"), Node.time(group, "firstParkedAt"),
					Node.time(group, "lastParkedAt"), Node.text(group, "queue"), Node.text(group, "messageType"),
					Node.text(group, "owner"), Node.text(group, "reason"), Node.text(group, "failureClass"),
					Node.text(group, "exception"), Node.text(group, "handlerVersions"));
		}
		return table.text();
	}

	/**
	 * One message.
	 * @param answer the message
	 * @return its facts
	 */
	public static String message(JsonNode answer) {
		StringBuilder text = new StringBuilder();
		Facts facts = new Facts();
		answer.path("message")
			.propertyNames()
			.forEach((name) -> facts.with(name, Node.text(answer.path("message"), name)));
		text.append(facts.text());
		section(text, "Properties", answer.path("properties"));
		section(text, "Headers", answer.path("headers"));
		String hidden = Node.text(answer, "hiddenHeaders");
		if (!hidden.isEmpty()) {
			text.append("\nHidden headers: ").append(SafeText.line(hidden)).append('\n');
		}
		JsonNode payload = answer.path("payload");
		if (payload.isObject()) {
			text.append("\nPayload (%s, %s bytes%s):\n".formatted(SafeText.line(Node.text(payload, "state")),
					SafeText.line(Node.text(payload, "size")),
					Node.text(payload, "encoding").equals("base64") ? ", base64" : ""));
			text.append(SafeText.lines(Node.text(payload, "content"))).append('\n');
		}
		return text.toString();
	}

	private static void section(StringBuilder text, String name, JsonNode values) {
		if (!values.isEmpty()) {
			Facts facts = new Facts();
			values.propertyNames().forEach((field) -> facts.with("  " + field, Node.text(values, field)));
			text.append('\n').append(name).append(":\n").append(facts.text());
		}
	}

	/**
	 * What came of discarding.
	 * @param answer what came of it
	 * @return a sentence
	 */
	public static String discarded(JsonNode answer) {
		String audit = Node.text(answer, "auditId");
		long uncertain = answer.path("uncertain").asLong(0);
		return SafeText.line("%s %s%s%s".formatted(Node.text(answer, "discarded"),
				answer.path("dryRun").asBoolean() ? "would be discarded" : "discarded",
				(uncertain > 0) ? ", and perhaps %d others".formatted(uncertain) : "",
				audit.isEmpty() ? "" : " (audit " + audit + ")")) + '\n';
	}

}
