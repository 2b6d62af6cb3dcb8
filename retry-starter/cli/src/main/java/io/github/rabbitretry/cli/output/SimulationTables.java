/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli.output;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;

import tools.jackson.databind.JsonNode;

/**
 * What a configuration would do, as tables.
 */
public final class SimulationTables {

	private static final int[] STEPS = { 1, 2, 5, 10, 15, 30, 60, 120, 240, 720, 1440 };

	private static final int ROWS = 30;

	private SimulationTables() {
	}

	/**
	 * One simulation, or two side by side.
	 * @param answer the simulations
	 * @param display how they are shown
	 * @return totals, minutes, and what is not simulated
	 */
	public static String simulations(JsonNode answer, Display display) {
		List<JsonNode> all = answer.path("simulations").valueStream().toList();
		if (all.isEmpty()) {
			return "";
		}
		StringBuilder text = new StringBuilder(title(all.get(0))).append("\n\n");
		text.append(totals(all, display)).append('\n');
		int longest = all.stream().mapToInt((one) -> one.path("minutes").size()).max().orElse(0);
		int step = display.wide() ? 1 : step(longest);
		text.append((all.size() == 1) ? minutes(all.get(0), step, display) : minutes(all, step, display));
		if (step > 1) {
			text.append("A row is %s; --wide shows each minute.\n"
				.formatted(Times.duration(Duration.ofMinutes(step).toString())));
		}
		sentences(all, "assumed", "Assumed: ", text);
		sentences(all, "notSimulated", "Not simulated: ", text);
		return text.toString();
	}

	private static void sentences(List<JsonNode> all, String field, String label, StringBuilder text) {
		all.stream()
			.flatMap((one) -> one.path(field).valueStream())
			.map(JsonNode::asString)
			.distinct()
			.forEach((sentence) -> text.append(label).append(SafeText.line(sentence)).append(".\n"));
	}

	static String title(JsonNode simulation) {
		JsonNode load = simulation.path("load");
		return SafeText.line("%s at %s; %sfor %s %s of the calls fail with %s, %s".formatted(
				FieldText.text(simulation, "messageType"), FieldText.text(load, "rate"),
				load.has("outageAt") ? "after " + Times.duration(FieldText.text(load, "outageAt")) + ", " : "",
				Times.duration(FieldText.text(load, "outage")), FieldText.text(load, "failing"),
				FieldText.text(load, "reason"), FieldText.text(load, "failureClass")));
	}

	private static String totals(List<JsonNode> all, Display display) {
		List<String> names = new ArrayList<>(List.of("TOTALS!"));
		all.forEach((one) -> names.add(one.path("configuration").asString("") + ":"));
		Table totals = new Table(display, names.toArray(String[]::new));
		row(totals, all, "messages", (one) -> count(one, "messages"));
		row(totals, all, "handled", (one) -> count(one, "succeeded"));
		for (String fate : List.of("parked", "discarded")) {
			TreeSet<String> reasons = new TreeSet<>();
			all.forEach((one) -> reasons.addAll(one.path(fate).propertyNames()));
			for (String reason : reasons) {
				row(totals, all, fate + ", " + reason, (one) -> number(one.path(fate).path(reason).asLong(0)));
			}
			if (fate.equals("parked") && reasons.isEmpty()) {
				row(totals, all, fate, (one) -> "0");
			}
		}
		row(totals, all, "handler calls", (one) -> count(one, "handlerCalls"));
		row(totals, all, "of these failed", (one) -> count(one, "failedCalls"));
		row(totals, all, "retried deliveries", (one) -> count(one, "retries"));
		for (String rare : List.of("throttled", "postponed")) {
			if (all.stream().anyMatch((one) -> one.path(rare).asLong(0) > 0)) {
				row(totals, all, rare, (one) -> count(one, rare));
			}
		}
		row(totals, all, "most calls within a second", (one) -> peak(one, "downstreamPeak"));
		row(totals, all, "most messages waiting", (one) -> peak(one, "waitingPeak"));
		if (all.stream().anyMatch((one) -> one.path("readyPeak").path("value").asLong(0) > 0)) {
			row(totals, all, "most in the work queue", (one) -> peak(one, "readyPeak"));
		}
		row(totals, all, "last retry at", (one) -> time(one, "lastRetry"));
		row(totals, all, "last parked at", (one) -> time(one, "lastParked"));
		row(totals, all, "end", (one) -> time(one, "end"));
		return totals.text();
	}

	private static void row(Table table, List<JsonNode> all, String name, Function<JsonNode, String> value) {
		table.row(Stream.concat(Stream.of(name), all.stream().map(value)).toArray(String[]::new));
	}

	private static String failure(JsonNode group, String reason, String failureClass) {
		return group.hasNonNull(reason) ? FieldText.text(group, reason) + ", " + FieldText.text(group, failureClass)
				: "";
	}

	private static String count(JsonNode node, String field) {
		return number(node.path(field).asLong(0));
	}

	private static String number(long value) {
		return String.format(Locale.ROOT, "%,d", value);
	}

	/** To the second, which is as exact as anybody needs. */
	private static String time(JsonNode node, String field) {
		String text = FieldText.text(node, field);
		if (text.isEmpty()) {
			return "never";
		}
		Duration time = Duration.parse(text);
		return Times.duration(((time.toSeconds() > 0) ? Duration.ofSeconds(time.toSeconds()) : time).toString());
	}

	private static String peak(JsonNode node, String field) {
		JsonNode peak = node.path(field);
		return (peak.path("value").asLong(0) == 0) ? "0" : count(peak, "value") + " at " + time(peak, "at");
	}

	private static int step(int minutes) {
		for (int step : STEPS) {
			if (minutes <= ROWS * step) {
				return step;
			}
		}
		return STEPS[STEPS.length - 1];
	}

	private static String minutes(JsonNode one, int step, Display display) {
		Table table = new Table(display, "MINUTE:", "ARRIVED:", "CALLS:", "FAILED:", "RETRIES:", "CALLS/S:", "READY:",
				"WAITING:", "PARKED:");
		List<JsonNode> minutes = one.path("minutes").valueStream().toList();
		for (int from = 0; from < minutes.size(); from += step) {
			List<JsonNode> some = some(minutes, from, step);
			table.row(Integer.toString(from), sum(some, "arrived"), sum(some, "handlerCalls"), sum(some, "failedCalls"),
					sum(some, "retries"), most(some), last(some, "ready"), last(some, "waiting"), last(some, "parked"));
		}
		return table.text();
	}

	private static String minutes(List<JsonNode> all, int step, Display display) {
		List<String> names = new ArrayList<>(List.of("MINUTE:"));
		for (String name : List.of("CALLS", "CALLS/S", "WAITING", "PARKED")) {
			for (int index = 0; index < all.size(); index++) {
				names.add(name + " " + (index + 1) + ":");
			}
		}
		Table table = new Table(display, names.toArray(String[]::new));
		List<List<JsonNode>> minutes = all.stream().map((one) -> one.path("minutes").valueStream().toList()).toList();
		int longest = minutes.stream().mapToInt(List::size).max().orElse(0);
		for (int from = 0; from < longest; from += step) {
			List<String> cells = new ArrayList<>(List.of(Integer.toString(from)));
			for (Function<List<JsonNode>, String> column : columns()) {
				for (List<JsonNode> one : minutes) {
					List<JsonNode> some = some(one, from, step);
					cells.add(some.isEmpty() ? "" : column.apply(some));
				}
			}
			table.row(cells.toArray(String[]::new));
		}
		return table.text();
	}

	private static List<Function<List<JsonNode>, String>> columns() {
		return List.of((some) -> sum(some, "handlerCalls"), SimulationTables::most, (some) -> last(some, "waiting"),
				(some) -> last(some, "parked"));
	}

	private static List<JsonNode> some(List<JsonNode> minutes, int from, int step) {
		return minutes.subList(Math.min(from, minutes.size()), Math.min(from + step, minutes.size()));
	}

	private static String sum(List<JsonNode> minutes, String field) {
		return number(minutes.stream().mapToLong((minute) -> minute.path(field).asLong(0)).sum());
	}

	private static String most(List<JsonNode> minutes) {
		return number(minutes.stream().mapToLong((minute) -> minute.path("callsPerSecond").asLong(0)).max().orElse(0));
	}

	private static String last(List<JsonNode> minutes, String field) {
		return count(minutes.get(minutes.size() - 1), field);
	}

	/**
	 * What changed rules would have decided about what is parked.
	 * @param answer groups of parked messages
	 * @param display how they are shown
	 * @return a table of the groups, and what can't be known
	 */
	public static String decidedAnew(JsonNode answer, Display display) {
		String table = new Table(display, "COUNT:=count", "EXHAUSTED:=budgetExhausted", "TYPE=messageType",
				"EXCEPTION=exception", "WAS", "WOULD BE", "DECISION!=decision", "BY?=decidedBy")
			.rows(answer.path("groups"),
					Map.of("WAS", (group) -> failure(group, "reason", "failureClass"), "WOULD BE",
							(group) -> failure(group, "newReason", "newFailureClass")))
			.text();
		if (table.isEmpty()) {
			return "";
		}
		StringBuilder text = new StringBuilder(table).append('\n');
		for (String decision : answer.path("messages").propertyNames()) {
			text.append("%s: %s\n".formatted(decision, number(answer.path("messages").path(decision).asLong(0))));
		}
		text.append("\nNot known here:\n");
		answer.path("notKnown").forEach((limit) -> text.append("- ").append(limit.asString()).append('\n'));
		return text.toString();
	}

}
