/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli.output;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import tools.jackson.databind.JsonNode;

/**
 * The topology, what waits in it and what is wrong with it.
 */
public final class TopologyTables {

	private static final int MOST_ALIKE = 4;

	private TopologyTables() {
	}

	/**
	 * Queues with what is in them.
	 * @param answer the topology
	 * @param display how it is shown
	 * @return a table
	 */
	public static String queues(JsonNode answer, Display display) {
		Table table = new Table(display, "TYPE", "ROLE=role", "QUEUE!=name", "MESSAGES:=messages", "READY:=ready",
				"UNACKED:=unacknowledged", "CONSUMERS:=consumers", "STATE");
		answer.path("messageTypes")
			.forEach((type) -> add(table, FieldText.text(type, "messageType"), type.path("queues")));
		add(table, "(shared)", answer.path("shared").valueStream().filter(TopologyTables::isWorthShowing).toList());
		return table.text();
	}

	private static boolean isWorthShowing(JsonNode queue) {
		return queue.path("messages").asLong(0) > 0 || queue.path("ready").asLong(0) > 0
				|| !queue.path("present").asBoolean(true);
	}

	private static void add(Table table, String type, Iterable<JsonNode> queues) {
		table.rows(queues, Map.of("TYPE", (queue) -> type, "STATE",
				(queue) -> queue.path("present").asBoolean(true) ? FieldText.text(queue, "state") : "MISSING"));
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
	 * What is wrong, each finding in a paragraph. Findings that are the same but for the
	 * queue share one, and commands that help against several findings are there once: a
	 * queue that is deleted and declared anew is right, and in use, the second time.
	 * @param answer the topology
	 * @param display how it is shown
	 * @return the findings, errors first
	 */
	public static String findings(JsonNode answer, Display display) {
		Map<String, List<JsonNode>> alike = new LinkedHashMap<>();
		answer.path("findings")
			.forEach((finding) -> alike.computeIfAbsent(
					String.join("\n", FieldText.text(finding, "severity"), FieldText.text(finding, "code"),
							FieldText.text(finding, "remedy"), finding.path("commands").toString()),
					(key) -> new ArrayList<>())
				.add(finding));
		StringBuilder text = new StringBuilder();
		Set<String> given = new HashSet<>();
		alike.values().forEach((findings) -> {
			JsonNode finding = findings.get(0);
			text.append(text.isEmpty() ? "" : "\n");
			text.append(FieldText.text(finding, "severity"));
			line(text, "  ", FieldText.text(finding, "code") + "  " + FieldText.text(finding, "fact"));
			findings.subList(1, Math.min(findings.size(), MOST_ALIKE))
				.forEach((other) -> line(text, "  ", FieldText.text(other, "fact")));
			if (findings.size() > MOST_ALIKE) {
				line(text, "  ",
						"The same of %s more; --output json has them all.".formatted(findings.size() - MOST_ALIKE));
			}
			line(text, "  ", FieldText.text(finding, "why"));
			line(text, "  ", FieldText.text(finding, "remedy"));
			JsonNode commands = finding.path("commands");
			if (commands.isEmpty() || given.add(commands.toString())) {
				commands.forEach((command) -> line(text, "    ", command.asString("")));
			}
			else {
				line(text, "    ", "Run the commands above once.");
			}
		});
		return text.toString();
	}

	private static void line(StringBuilder text, String indent, String line) {
		text.append(indent).append(SafeText.line(line)).append('\n');
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
