/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli.output;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import tools.jackson.databind.JsonNode;

/**
 * What {@code replays} answers, as tables.
 */
public final class ReplayReports {

	/** What is not told from text in a filter, but only shown. */
	private static final Pattern VALUE = Pattern
		.compile("\\b(cause|parkedFrom|parkedBefore)=([^,\\s]+(?:,[^,\\s]+)*+)");

	private ReplayReports() {
	}

	/**
	 * Replays.
	 * @param answer the replays
	 * @param display how it is shown
	 * @return a table
	 */
	public static String jobs(JsonNode answer, Display display) {
		return new Table(display, "REPLAY!=replay/id", "STATE!=replay/state", "WHY!=replay/why", "DONE:",
				"MESSAGES:=replay/counts/selected", "SUCCEEDED:=replay/counts/succeeded",
				"PARKED AGAIN:=replay/counts/parkedAgain", "FAILED:=replay/counts/failed",
				"UNDECIDED:=replay/counts/undecided", "STARTED AT!=replay/startedAt~", "USER=replay/act/user",
				"BECAUSE=replay/act/reason", "SELECTION")
			.rows(answer.path("replays"),
					Map.of("DONE", FieldText::percent, "SELECTION",
							(job) -> selection(FieldText.at(job, "replay/selection"), answer)))
			.text();
	}

	/**
	 * One replay.
	 * @param job the replay
	 * @param display how it is shown
	 * @return its facts
	 */
	public static String job(JsonNode job, Display display) {
		JsonNode replay = job.path("replay");
		KeyValueTable facts = new KeyValueTable()
			.with(replay, "replay=id", "application", "state", "why", "detail", "stalled", "stalled since=stalledSince")
			.with("done", FieldText.percent(job))
			.with("selection", selection(FieldText.text(replay, "selection"), job))
			.with(replay, "by=act/user", "because=act/reason", "started at=startedAt", "ended at=endedAt", "worker");
		replay.path("options")
			.propertyNames()
			.stream()
			.filter((name) -> !replay.path("options").path(name).isBoolean()
					|| replay.path("options").path(name).asBoolean())
			.forEach((name) -> facts.with(name, Times.duration(FieldText.text(replay.path("options"), name))));
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
		return new Table(display, "PLACE:=sequence", "ID!=parkedId", "STATE!=state", "SINCE!=since~",
				"PUBLISHED AT!=publishedAt~", "DETAIL=detail")
			.rows(answer.path("messages"))
			.text();
	}

	/**
	 * Acts.
	 * @param answer a page of them
	 * @param display how it is shown
	 * @return a table
	 */
	public static String audit(JsonNode answer, Display display) {
		return new Table(display, "ENTRY:=id", "AT!=at~", "USER=user", "WHAT=what", "COUNT:=count", "REPLAY!=replayId",
				"BECAUSE=reason", "SELECTION", "OUTCOME=outcome", "DETAILS=details")
			.rows(answer.path("entries"),
					Map.of("SELECTION", (entry) -> selection(FieldText.text(entry, "selection"), answer)))
			.text();
	}

	/** Causes by their texts, and times as tables have them. */
	private static String selection(String selection, JsonNode answer) {
		Map<String, String> texts = answer.path("causes")
			.valueStream()
			.collect(
					Collectors.toMap((cause) -> FieldText.text(cause, "id"), ReplayReports::cause, (one, same) -> one));
		return VALUE.matcher(selection).replaceAll((found) -> {
			String value = found.group(2);
			String readable = found.group(1).equals("cause") ? Arrays.stream(value.split(","))
				.map((id) -> texts.getOrDefault(id, id))
				.collect(Collectors.joining(" or ")) : Times.brief(value);
			return Matcher.quoteReplacement(found.group(1) + " " + readable);
		});
	}

	private static String cause(JsonNode cause) {
		String exception = FieldText.text(cause, "exception");
		String text = FieldText.text(cause, "text");
		String name = exception.substring(exception.lastIndexOf('.') + 1);
		String both = Stream.of(name, text).filter((part) -> !part.isEmpty()).collect(Collectors.joining(": "));
		return both.isEmpty() ? FieldText.text(cause, "id") : both;
	}

	/**
	 * What a replay would do.
	 * @param answer what is known of it
	 * @param display how it is shown
	 * @return tables
	 */
	public static String dryRun(JsonNode answer, Display display) {
		JsonNode tried = answer.path("dryRun");
		StringBuilder text = new StringBuilder(new KeyValueTable()
			.with(tried, "matching", "replayable", "would replay=wouldReplay", "payload missing=payloadMissing",
					"queue unknown=queueUnknown", "preview/token")
			.text());
		List<String> messages = PreviewLines.messages(tried.path("preview"));
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

	private static String groups(JsonNode groups, Display display) {
		return new Table(display, "COUNT:=count", "CAUSE!=cause/id", "REASON=reason", "ON SAME FAILURE=onSameFailure",
				"FINDINGS=findings", "QUEUE=queue", "TYPE=messageType", "CLASS=failureClass",
				"REPLAY POLICY=replayPolicy")
			.rows(groups)
			.text();
	}

	private static String ages(JsonNode ages, Display display) {
		return new Table(display, "PARKED WITHIN", "COUNT:=count")
			.rows(ages, Map.of("PARKED WITHIN",
					(age) -> age.hasNonNull("upTo") ? Times.duration(FieldText.text(age, "upTo")) : "longer ago"))
			.text();
	}

}
