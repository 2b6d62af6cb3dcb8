/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli.output;

import java.util.List;

import tools.jackson.databind.JsonNode;

/**
 * What {@code replays} answers, as tables.
 */
public final class ReplayTables {

	private ReplayTables() {
	}

	/**
	 * Replays.
	 * @param answer the replays
	 * @param display how it is shown
	 * @return a table
	 */
	public static String jobs(JsonNode answer, Display display) {
		Table table = new Table(display, "REPLAY!", "STATE!", "WHY!", "DONE:", "MESSAGES:", "SUCCEEDED:",
				"PARKED AGAIN:?", "FAILED:?", "UNDECIDED:?", "STARTED AT!?", "USER", "BECAUSE", "SELECTION");
		for (JsonNode job : answer.path("replays")) {
			JsonNode replay = job.path("replay");
			JsonNode counts = replay.path("counts");
			table.row(Node.text(replay, "id"), Node.text(replay, "state"), Node.text(replay, "why"), Node.percent(job),
					Node.text(counts, "selected"), Node.text(counts, "succeeded"), Node.text(counts, "parkedAgain"),
					Node.text(counts, "failed"), Node.text(counts, "undecided"),
					display.times().brief(Node.text(replay, "startedAt")), Node.text(replay.path("act"), "user"),
					Node.text(replay.path("act"), "reason"), Node.text(replay, "selection"));
		}
		return table.text();
	}

	/**
	 * One replay.
	 * @param job the replay
	 * @param display how it is shown
	 * @return its facts
	 */
	public static String job(JsonNode job, Display display) {
		JsonNode replay = job.path("replay");
		Facts facts = new Facts(display).with("replay", Node.text(replay, "id"))
			.with("application", Node.text(replay, "application"))
			.with("state", Node.text(replay, "state"))
			.with("why", Node.text(replay, "why"))
			.with("detail", Node.text(replay, "detail"))
			.with("stalled", Node.text(replay, "stalled"))
			.with("stalled since", Node.text(replay, "stalledSince"))
			.with("done", Node.percent(job))
			.with("selection", Node.text(replay, "selection"))
			.with("by", Node.text(replay.path("act"), "user"))
			.with("because", Node.text(replay.path("act"), "reason"))
			.with("started at", Node.text(replay, "startedAt"))
			.with("ended at", Node.text(replay, "endedAt"))
			.with("worker", Node.text(replay, "worker"));
		replay.path("options")
			.propertyNames()
			.forEach((name) -> facts.with(name, Node.text(replay.path("options"), name)));
		JsonNode counts = replay.path("counts");
		StringBuilder text = new StringBuilder(facts.text()).append("\nMessages:\n");
		Facts numbers = new Facts();
		counts.propertyNames()
			.stream()
			.filter((name) -> name.equals("selected") || counts.path(name).asLong(0) != 0)
			.forEach((name) -> numbers.with("  " + name, Node.text(counts, name)));
		return text.append(numbers.text()).toString();
	}

	/**
	 * Messages of a replay.
	 * @param answer a page of them
	 * @param display how it is shown
	 * @return a table
	 */
	public static String items(JsonNode answer, Display display) {
		Table table = new Table(display, "PLACE:", "ID!", "STATE!", "SINCE!", "PUBLISHED AT!", "DETAIL");
		for (JsonNode item : answer.path("messages")) {
			table.row(Node.text(item, "sequence"), Node.text(item, "parkedId"), Node.text(item, "state"),
					display.times().brief(Node.text(item, "since")),
					display.times().brief(Node.text(item, "publishedAt")), Node.text(item, "detail"));
		}
		return table.text();
	}

	/**
	 * Acts.
	 * @param answer a page of them
	 * @param display how it is shown
	 * @return a table
	 */
	public static String audit(JsonNode answer, Display display) {
		Table table = new Table(display, "ENTRY:", "AT!", "USER", "WHAT", "COUNT:", "REPLAY!", "BECAUSE", "SELECTION",
				"OUTCOME", "DETAILS");
		for (JsonNode entry : answer.path("entries")) {
			table.row(Node.text(entry, "id"), display.times().brief(Node.text(entry, "at")), Node.text(entry, "user"),
					Node.text(entry, "what") + (entry.path("dryRun").asBoolean() ? " (dry run)" : ""),
					Node.text(entry, "count"), Node.text(entry, "replayId"), Node.text(entry, "reason"),
					Node.text(entry, "selection"), Node.text(entry, "outcome"), Node.text(entry, "details"));
		}
		return table.text();
	}

	/**
	 * What a replay would do.
	 * @param answer what is known of it
	 * @param display how it is shown
	 * @return tables
	 */
	public static String dryRun(JsonNode answer, Display display) {
		if (answer.has("window")) {
			return window(answer) + "\n" + ParkedTables.groups(answer, display);
		}
		JsonNode tried = answer.path("dryRun");
		StringBuilder text = new StringBuilder(new Facts().with("matching", Node.text(tried, "matching"))
			.with("replayable", Node.text(tried, "replayable"))
			.with("would replay", Node.text(tried, "wouldReplay"))
			.with("payload missing", Node.text(tried, "payloadMissing"))
			.with("queue unknown", Node.text(tried, "queueUnknown"))
			.with("token", Node.text(tried.path("preview"), "token"))
			.text());
		List<String> messages = PreviewLines.messages(tried.path("preview"), display);
		if (!messages.isEmpty()) {
			text.append('\n');
			messages.forEach((line) -> text.append(line).append('\n'));
		}
		if (!tried.path("groups").isEmpty()) {
			text.append('\n').append(groups(tried.path("groups"), display));
		}
		if (!tried.path("ages").isEmpty()) {
			text.append('\n').append(ages(tried.path("ages"), display));
		}
		tried.path("cautions")
			.valueStream()
			.forEach((caution) -> text.append("\nCaution: ").append(SafeText.line(caution.asString(""))));
		return text.toString().stripTrailing() + '\n';
	}

	/** What the running code made of the sampled messages. */
	private static String converted(JsonNode samples) {
		return samples.isObject() ? Node.text(samples, "converted") + " of " + Node.text(samples, "tried") : "";
	}

	private static String groups(JsonNode groups, Display display) {
		Table table = new Table(display, "COUNT:", "CAUSE!", "REASON", "IF IT FAILS ALIKE", "CONVERTED!", "FINDINGS",
				"QUEUE", "TYPE", "CLASS", "REPLAY POLICY");
		for (JsonNode group : groups) {
			table.row(Node.text(group, "count"), Node.text(group.path("cause"), "id"), Node.text(group, "reason"),
					Node.text(group, "ifItFailsAlike"), converted(group.path("samples")), Node.text(group, "findings"),
					Node.text(group, "queue"), Node.text(group, "messageType"), Node.text(group, "failureClass"),
					Node.text(group, "replayPolicy"));
		}
		return table.text();
	}

	private static String ages(JsonNode ages, Display display) {
		Table table = new Table(display, "PARKED WITHIN", "COUNT:");
		for (JsonNode age : ages) {
			String upTo = Node.text(age, "upTo");
			table.row(upTo.isEmpty() ? "longer ago" : Times.duration(upTo), Node.text(age, "count"));
		}
		return table.text();
	}

	/**
	 * What a replay without a ledger did.
	 * @param answer what came of it
	 * @return facts
	 */
	public static String window(JsonNode answer) {
		JsonNode window = answer.path("window");
		return new Facts().with("replay", Node.text(window, "replayId"))
			.with("matching", Node.text(window, "matching"))
			.with(window.path("dryRun").asBoolean() ? "would replay" : "replayed", Node.text(window, "done"))
			.with("still parked", window.path("dryRun").asBoolean() ? "" : Node.text(window, "kept"))
			.with("perhaps replayed", (window.path("uncertain").asLong(0) > 0) ? Node.text(window, "uncertain") : "")
			.text();
	}

}
