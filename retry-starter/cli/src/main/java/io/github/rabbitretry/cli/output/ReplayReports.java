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
public final class ReplayReports {

	private ReplayReports() {
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
			table.row(FieldText.text(replay, "id"), FieldText.text(replay, "state"), FieldText.text(replay, "why"),
					FieldText.percent(job), FieldText.text(counts, "selected"), FieldText.text(counts, "succeeded"),
					FieldText.text(counts, "parkedAgain"), FieldText.text(counts, "failed"),
					FieldText.text(counts, "undecided"), display.times().brief(FieldText.text(replay, "startedAt")),
					FieldText.text(replay.path("act"), "user"), FieldText.text(replay.path("act"), "reason"),
					FieldText.text(replay, "selection"));
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
		KeyValueTable facts = new KeyValueTable(display).with("replay", FieldText.text(replay, "id"))
			.with("application", FieldText.text(replay, "application"))
			.with("state", FieldText.text(replay, "state"))
			.with("why", FieldText.text(replay, "why"))
			.with("detail", FieldText.text(replay, "detail"))
			.with("stalled", FieldText.text(replay, "stalled"))
			.with("stalled since", FieldText.text(replay, "stalledSince"))
			.with("done", FieldText.percent(job))
			.with("selection", FieldText.text(replay, "selection"))
			.with("by", FieldText.text(replay.path("act"), "user"))
			.with("because", FieldText.text(replay.path("act"), "reason"))
			.with("started at", FieldText.text(replay, "startedAt"))
			.with("ended at", FieldText.text(replay, "endedAt"))
			.with("worker", FieldText.text(replay, "worker"));
		replay.path("options")
			.propertyNames()
			.forEach((name) -> facts.with(name, FieldText.text(replay.path("options"), name)));
		JsonNode counts = replay.path("counts");
		StringBuilder text = new StringBuilder(facts.text()).append("\nMessages:\n");
		KeyValueTable numbers = new KeyValueTable();
		counts.propertyNames()
			.stream()
			.filter((name) -> name.equals("selected") || counts.path(name).asLong(0) != 0)
			.forEach((name) -> numbers.with("  " + name, FieldText.text(counts, name)));
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
			table.row(FieldText.text(item, "sequence"), FieldText.text(item, "parkedId"), FieldText.text(item, "state"),
					display.times().brief(FieldText.text(item, "since")),
					display.times().brief(FieldText.text(item, "publishedAt")), FieldText.text(item, "detail"));
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
			table.row(FieldText.text(entry, "id"), display.times().brief(FieldText.text(entry, "at")),
					FieldText.text(entry, "user"),
					FieldText.text(entry, "what") + (entry.path("dryRun").asBoolean() ? " (dry run)" : ""),
					FieldText.text(entry, "count"), FieldText.text(entry, "replayId"), FieldText.text(entry, "reason"),
					FieldText.text(entry, "selection"), FieldText.text(entry, "outcome"),
					FieldText.text(entry, "details"));
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
		JsonNode tried = answer.path("dryRun");
		StringBuilder text = new StringBuilder(new KeyValueTable().with("matching", FieldText.text(tried, "matching"))
			.with("replayable", FieldText.text(tried, "replayable"))
			.with("would replay", FieldText.text(tried, "wouldReplay"))
			.with("payload missing", FieldText.text(tried, "payloadMissing"))
			.with("queue unknown", FieldText.text(tried, "queueUnknown"))
			.with("token", FieldText.text(tried.path("preview"), "token"))
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
		return samples.isObject() ? FieldText.text(samples, "converted") + " of " + FieldText.text(samples, "tried")
				: "";
	}

	private static String groups(JsonNode groups, Display display) {
		Table table = new Table(display, "COUNT:", "CAUSE!", "REASON", "IF IT FAILS ALIKE", "CONVERTED!", "FINDINGS",
				"QUEUE", "TYPE", "CLASS", "REPLAY POLICY");
		for (JsonNode group : groups) {
			table.row(FieldText.text(group, "count"), FieldText.text(group.path("cause"), "id"),
					FieldText.text(group, "reason"), FieldText.text(group, "ifItFailsAlike"),
					converted(group.path("samples")), FieldText.text(group, "findings"), FieldText.text(group, "queue"),
					FieldText.text(group, "messageType"), FieldText.text(group, "failureClass"),
					FieldText.text(group, "replayPolicy"));
		}
		return table.text();
	}

	private static String ages(JsonNode ages, Display display) {
		Table table = new Table(display, "PARKED WITHIN", "COUNT:");
		for (JsonNode age : ages) {
			String upTo = FieldText.text(age, "upTo");
			table.row(upTo.isEmpty() ? "longer ago" : Times.duration(upTo), FieldText.text(age, "count"));
		}
		return table.text();
	}

}
