/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli.output;

import tools.jackson.databind.JsonNode;

/**
 * The topology and what is wrong with it.
 */
public final class TopologyTables {

	private TopologyTables() {
	}

	/**
	 * Queues with what is in them.
	 * @param answer the topology
	 * @param display how it is shown
	 * @return a table
	 */
	public static String queues(JsonNode answer, Display display) {
		Table table = new Table(display, "TYPE", "ROLE", "QUEUE!", "MESSAGES:", "READY:", "UNACKED:", "CONSUMERS:",
				"STATE");
		answer.path("messageTypes")
			.forEach((type) -> type.path("queues")
				.forEach((queue) -> row(table, FieldText.text(type, "messageType"), queue)));
		answer.path("shared")
			.valueStream()
			.filter(TopologyTables::isWorthShowing)
			.forEach((queue) -> row(table, "(shared)", queue));
		return table.text();
	}

	private static boolean isWorthShowing(JsonNode queue) {
		return queue.path("messages").asLong(0) > 0 || queue.path("ready").asLong(0) > 0
				|| !queue.path("present").asBoolean(true);
	}

	private static void row(Table table, String type, JsonNode queue) {
		boolean missing = !queue.path("present").asBoolean(true);
		table.row(type, FieldText.text(queue, "role"), FieldText.text(queue, "name"), FieldText.text(queue, "messages"),
				FieldText.text(queue, "ready"), FieldText.text(queue, "unacknowledged"),
				FieldText.text(queue, "consumers"), missing ? "MISSING" : FieldText.text(queue, "state"));
	}

	/**
	 * The diagrams.
	 * @param answer the topology
	 * @param display not used: it is for files
	 * @return Mermaid text
	 */
	public static String diagrams(JsonNode answer, Display display) {
		StringBuilder text = new StringBuilder();
		answer.path("messageTypes").forEach((type) -> {
			text.append("%% ").append(SafeText.line(FieldText.text(type, "messageType"))).append('\n');
			FieldText.text(type, "diagram").lines().forEach((line) -> text.append(SafeText.line(line)).append('\n'));
		});
		return text.toString();
	}

	/**
	 * What is wrong, each finding in a paragraph.
	 * @param answer the topology
	 * @param display how it is shown
	 * @return the findings, errors first
	 */
	public static String findings(JsonNode answer, Display display) {
		StringBuilder text = new StringBuilder();
		answer.path("findings").forEach((finding) -> {
			text.append(text.isEmpty() ? "" : "\n");
			String severity = FieldText.text(finding, "severity");
			text.append(display.colours() ? Colours.state(severity, severity) : severity);
			line(text, "  ", FieldText.text(finding, "code") + "  " + FieldText.text(finding, "fact"));
			line(text, "  ", FieldText.text(finding, "why"));
			line(text, "  ", FieldText.text(finding, "remedy"));
			finding.path("commands").forEach((command) -> line(text, "    ", command.asString("")));
		});
		return text.toString();
	}

	private static void line(StringBuilder text, String indent, String line) {
		text.append(indent).append(SafeText.line(line)).append('\n');
	}

}
