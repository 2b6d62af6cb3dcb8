/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli.output;

import java.util.Map;

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
			.anyMatch((message) -> !FieldText.text(message, "state").equals("PARKED"));
		return new Table(display, "ID!=id", "STATE!", "PARKED AT!=parkedAt~", "QUEUE=queue", "TYPE=messageType",
				"OWNER=owner", "REASON=reason", "LAST FAILURE", "CLASS=failureClass", "TRIES:", "MESSAGE ID=messageId")
			.rows(answer.path("messages"),
					Map.of("STATE", (message) -> states ? FieldText.text(message, "state") : "", "LAST FAILURE",
							ParkedTables::failedOf, "TRIES", FieldText::tries))
			.text();
	}

	private static String failedOf(JsonNode message) {
		String failure = FieldText.text(message, "failureReason");
		return failure.equals(FieldText.text(message, "reason")) ? "" : failure;
	}

	/**
	 * Groups.
	 * @param answer the groups
	 * @param display how it is shown
	 * @return a table
	 */
	public static String groups(JsonNode answer, Display display) {
		return new Table(display, "COUNT:=count", "EXHAUSTED:=budgetExhausted", "CAUSE!=cause/id", "REASON=reason",
				"EXCEPTION", "TEXT=cause/text", "LAST PARKED!=lastParkedAt~", "FIRST PARKED!=firstParkedAt~",
				"TYPE=messageType", "QUEUE=queue", "OWNER=owner", "CLASS=failureClass", "VERSIONS=handlerVersions")
			.rows(answer.path("groups"),
					Map.of("EXCEPTION", (group) -> exception(FieldText.at(group, "cause/exception"), display)))
			.text();
	}

	/**
	 * Messages by the value of an attribute.
	 * @param answer the totals
	 * @param display how it is shown
	 * @return a table
	 */
	public static String totals(JsonNode answer, Display display) {
		return new Table(display, "COUNT:=count", "VALUE!", "CAUSES:=causes", "LAST PARKED!=lastParkedAt~",
				"FIRST PARKED!=firstParkedAt~")
			.rows(answer.path("totals"),
					Map.of("VALUE", (total) -> total.hasNonNull("value") ? FieldText.text(total, "value") : "(none)"))
			.text();
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
		KeyValueTable facts = new KeyValueTable();
		message.propertyNames().forEach((name) -> {
			if (name.equals("attempts")) {
				facts.with("tries", FieldText.tries(message));
			}
			else if (name.equals("cause")) {
				facts.with(message, "cause=cause/id", "causeException=cause/exception", "causeText=cause/text");
			}
			else {
				facts.with(name, FieldText.text(message, name));
			}
		});
		facts.with("replayed by", FieldText.text(answer, "replayedBy"))
			.with("discarded by", discardedBy(FieldText.text(answer, "discardedBy")));
		text.append(facts.text());
		if (!answer.path("history").isEmpty()) {
			text.append("\nHistory:\n");
			answer.path("history")
				.valueStream()
				.forEach((attempt) -> text.append("  ").append(SafeText.line(attempt.asString(""))).append('\n'));
		}
		section(text, "Properties", answer.path("properties"));
		section(text, "Headers", answer.path("headers"));
		String hidden = FieldText.text(answer, "hiddenHeaders");
		if (!hidden.isEmpty()) {
			text.append("\nHidden headers: ").append(SafeText.line(hidden)).append('\n');
		}
		JsonNode payload = answer.path("payload");
		if (payload.isObject()) {
			text.append("\nPayload (%s, %s bytes%s):\n".formatted(SafeText.line(FieldText.text(payload, "state")),
					SafeText.line(FieldText.text(payload, "size")),
					FieldText.text(payload, "encoding").equals("base64") ? ", base64" : ""));
			text.append(SafeText.lines(FieldText.text(payload, "content"))).append('\n');
		}
		return text.toString();
	}

	private static String discardedBy(String entry) {
		return entry.isEmpty() ? "" : "entry %s of the audit (parked restore --discard %s)".formatted(entry, entry);
	}

	private static void section(StringBuilder text, String name, JsonNode values) {
		if (!values.isEmpty()) {
			KeyValueTable facts = new KeyValueTable();
			values.propertyNames().forEach((field) -> facts.with("  " + field, FieldText.text(values, field)));
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
		return done(answer, "restored", "parked again") + preview(answer);
	}

	/**
	 * What came of discarding.
	 * @param answer what came of it
	 * @param display how it is shown
	 * @return a sentence, and what a dry run shows of the messages
	 */
	public static String discarded(JsonNode answer, Display display) {
		long reserved = answer.path("reserved").asLong(0);
		return done(answer, "discarded", "discarded")
				+ ((reserved > 0) ? "%s left out, since replays have selected them\n".formatted(reserved) : "")
				+ preview(answer);
	}

	/** A dry run has no entry of the audit. */
	private static String done(JsonNode answer, String field, String done) {
		String audit = FieldText.text(answer, "auditId");
		return SafeText.line("%s %s%s%s".formatted(FieldText.text(answer, field),
				answer.path("dryRun").asBoolean() ? "would be " : "", done,
				audit.isEmpty() ? "" : " (audit " + audit + ")")) + '\n';
	}

	private static String preview(JsonNode answer) {
		JsonNode preview = answer.path("preview");
		if (!preview.isObject()) {
			return "";
		}
		StringBuilder text = new StringBuilder();
		PreviewLines.messages(preview).forEach((line) -> text.append(line).append('\n'));
		return text.append("token ").append(SafeText.line(FieldText.text(preview, "token"))).append('\n').toString();
	}

}
