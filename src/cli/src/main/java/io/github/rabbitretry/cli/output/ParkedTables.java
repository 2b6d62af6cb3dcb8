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
	 * @param display how it is shown
	 * @return a table
	 */
	public static String messages(JsonNode answer, Display display) {
		boolean states = answer.path("messages")
			.valueStream()
			.anyMatch((message) -> !Node.text(message, "state").equals("PARKED"));
		Table table = new Table(display, "ID!", "STATE!", "PARKED AT!", "QUEUE", "TYPE", "OWNER", "REASON", "FAILED OF",
				"CLASS", "TRIES:", "MESSAGE ID");
		for (JsonNode message : answer.path("messages")) {
			String state = Node.text(message, "state");
			String failure = Node.text(message, "failureReason");
			table.row(Node.text(message, "id"), states ? state : "",
					display.times().brief(Node.text(message, "parkedAt")), Node.text(message, "queue"),
					Node.text(message, "messageType"), Node.text(message, "owner"), Node.text(message, "reason"),
					failure.equals(Node.text(message, "reason")) ? "" : failure, Node.text(message, "failureClass"),
					Node.tries(message), Node.text(message, "messageId"));
		}
		return table.text();
	}

	/**
	 * Groups.
	 * @param answer the groups
	 * @param display how it is shown
	 * @return a table
	 */
	public static String groups(JsonNode answer, Display display) {
		Table table = new Table(display, "COUNT:", "EXHAUSTED:", "CAUSE!", "REASON", "EXCEPTION", "TEXT",
				"LAST PARKED!?", "FIRST PARKED!?", "TYPE", "QUEUE", "OWNER", "CLASS", "VERSIONS");
		for (JsonNode group : answer.path("groups")) {
			JsonNode cause = group.path("cause");
			table.row(Node.text(group, "count"), Node.text(group, "budgetExhausted"), Node.text(cause, "id"),
					Node.text(group, "reason"), exception(Node.text(cause, "exception"), display),
					Node.text(cause, "text"), display.times().brief(Node.text(group, "lastParkedAt")),
					display.times().brief(Node.text(group, "firstParkedAt")), Node.text(group, "messageType"),
					Node.text(group, "queue"), Node.text(group, "owner"), Node.text(group, "failureClass"),
					Node.text(group, "handlerVersions"));
		}
		return table.text();
	}

	/** Packages are long, and names of classes differ at their end. */
	private static String exception(String name, Display display) {
		return display.wide() ? name : name.substring(name.lastIndexOf('.') + 1);
	}

	/**
	 * One message.
	 * @param answer the message
	 * @param display how it is shown
	 * @return its facts
	 */
	public static String message(JsonNode answer, Display display) {
		StringBuilder text = new StringBuilder();
		JsonNode message = answer.path("message");
		Facts facts = new Facts(display);
		message.propertyNames().forEach((name) -> {
			if (name.equals("attempts")) {
				facts.with("tries", Node.tries(message));
			}
			else if (name.equals("cause")) {
				JsonNode cause = message.path(name);
				facts.with("cause", Node.text(cause, "id"))
					.with("causeException", Node.text(cause, "exception"))
					.with("causeText", Node.text(cause, "text"));
			}
			else {
				facts.with(name, Node.text(message, name));
			}
		});
		facts.with("replayed by", Node.text(answer, "replayedBy"))
			.with("discarded by", discardedBy(Node.text(answer, "discardedBy")));
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

	private static String discardedBy(String entry) {
		return entry.isEmpty() ? "" : "entry %s of the audit (parked restore --discard %s)".formatted(entry, entry);
	}

	private static void section(StringBuilder text, String name, JsonNode values) {
		if (!values.isEmpty()) {
			Facts facts = new Facts();
			values.propertyNames().forEach((field) -> facts.with("  " + field, Node.text(values, field)));
			text.append('\n').append(name).append(":\n").append(facts.text());
		}
	}

	/**
	 * What came of restoring.
	 * @param answer what came of it
	 * @param display how it is shown
	 * @return a sentence, and what a dry run shows of the messages
	 */
	public static String restored(JsonNode answer, Display display) {
		return SafeText.line("%s %s (audit %s)".formatted(Node.text(answer, "restored"),
				answer.path("dryRun").asBoolean() ? "would be parked again" : "parked again",
				Node.text(answer, "auditId"))) + '\n' + preview(answer, display);
	}

	/**
	 * What came of discarding.
	 * @param answer what came of it
	 * @param display how it is shown
	 * @return a sentence, and what a dry run shows of the messages
	 */
	public static String discarded(JsonNode answer, Display display) {
		String audit = Node.text(answer, "auditId");
		long uncertain = answer.path("uncertain").asLong(0);
		long reserved = answer.path("reserved").asLong(0);
		return SafeText
			.line("%s %s%s%s".formatted(Node.text(answer, "discarded"),
					answer.path("dryRun").asBoolean() ? "would be discarded" : "discarded",
					(uncertain > 0) ? ", and perhaps %d others".formatted(uncertain) : "",
					audit.isEmpty() ? "" : " (audit " + audit + ")"))
				+ '\n' + ((reserved > 0) ? "%d left out, since replays have selected them\n".formatted(reserved) : "")
				+ preview(answer, display);
	}

	private static String preview(JsonNode answer, Display display) {
		JsonNode preview = answer.path("preview");
		if (!preview.isObject()) {
			return "";
		}
		StringBuilder text = new StringBuilder();
		PreviewLines.messages(preview, display).forEach((line) -> text.append(line).append('\n'));
		return text.append("token ").append(SafeText.line(Node.text(preview, "token"))).append('\n').toString();
	}

}
