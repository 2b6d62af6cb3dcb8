/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli.output;

import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

import tools.jackson.databind.JsonNode;

/**
 * What a configuration would do, as tables.
 */
public final class SimulationTables {

	private static final int[] STEPS = { 1, 2, 5, 10, 15, 30, 60, 120, 240, 720, 1440 };

	private static final int ROWS = 30;

	private static final MathContext DIGITS = new MathContext(9);

	private SimulationTables() {
	}

	/**
	 * What becomes of the messages.
	 * @param simulation the simulation
	 * @param display how it is shown
	 * @return totals, minutes, and what is not simulated
	 */
	public static String simulation(JsonNode simulation, Display display) {
		int step = display.wide() ? 1 : step(simulation.path("minutes").size());
		StringBuilder text = new StringBuilder(title(simulation)).append("\n\n")
			.append(totals(simulation, display))
			.append('\n')
			.append(minutes(simulation, step, display));
		if (step > 1) {
			text.append("A row is %s; --wide shows each minute.\n"
				.formatted(Times.duration(Duration.ofMinutes(step).toString())));
		}
		simulation.path("notSimulated")
			.forEach((sentence) -> text.append("Not simulated: ")
				.append(SafeText.line(sentence.asString("")))
				.append(".\n"));
		return text.toString();
	}

	private static String title(JsonNode simulation) {
		JsonNode load = simulation.path("load");
		String begin = FieldText.text(load, "outageAt");
		return SafeText.line("%s at %s/s; %sfor %s %s%% of the calls fail with %s, %s".formatted(
				FieldText.text(simulation, "messageType"), decimal(load.path("rate").asDouble(0)),
				begin.equals("PT0S") ? "" : "after " + Times.duration(begin) + ", ",
				Times.duration(FieldText.text(load, "outage")), decimal(100 * load.path("failing").asDouble(0)),
				FieldText.text(load, "reason"),
				FieldText.text(load, "failureClass").toLowerCase(Locale.ROOT).replace('_', '-')));
	}

	private static String decimal(double value) {
		return BigDecimal.valueOf(value).round(DIGITS).stripTrailingZeros().toPlainString();
	}

	private static String totals(JsonNode simulation, Display display) {
		Table totals = new Table(display, "TOTALS!", ":");
		totals.row("messages", count(simulation, "messages")).row("handled", count(simulation, "succeeded"));
		for (String fate : List.of("parked", "discarded")) {
			JsonNode reasons = simulation.path(fate);
			reasons.propertyNames().forEach((reason) -> totals.row(fate + ", " + reason, count(reasons, reason)));
		}
		if (simulation.path("parked").isEmpty()) {
			totals.row("parked", "0");
		}
		totals.row("handler calls", count(simulation, "handlerCalls"))
			.row("of these failed", count(simulation, "failedCalls"))
			.row("retried deliveries", count(simulation, "retries"));
		for (String rare : List.of("throttled", "postponed")) {
			if (simulation.path(rare).asLong(0) > 0) {
				totals.row(rare, count(simulation, rare));
			}
		}
		totals.row("most calls within a second", peak(simulation, "downstreamPeak"))
			.row("most messages waiting", peak(simulation, "waitingPeak"));
		if (simulation.path("readyPeak").path("value").asLong(0) > 0) {
			totals.row("most in the work queue", peak(simulation, "readyPeak"));
		}
		return totals.row("last retry at", time(simulation, "lastRetry"))
			.row("last parked at", time(simulation, "lastParked"))
			.row("end", time(simulation, "end"))
			.text();
	}

	private static String count(JsonNode node, String field) {
		return number(node.path(field).asLong(0));
	}

	private static String number(long value) {
		return String.format(Locale.ROOT, "%,d", value);
	}

	/** To the second, which is exact enough. */
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

	private static String minutes(JsonNode simulation, int step, Display display) {
		Table table = new Table(display, "MINUTE:", "ARRIVED:", "CALLS:", "FAILED:", "RETRIES:", "CALLS/S:", "READY:",
				"WAITING:", "PARKED:");
		List<JsonNode> minutes = simulation.path("minutes").valueStream().toList();
		for (int from = 0; from < minutes.size(); from += step) {
			List<JsonNode> some = minutes.subList(from, Math.min(from + step, minutes.size()));
			JsonNode last = some.get(some.size() - 1);
			table.row(Integer.toString(from), sum(some, "arrived"), sum(some, "handlerCalls"), sum(some, "failedCalls"),
					sum(some, "retries"), most(some), count(last, "ready"), count(last, "waiting"),
					count(last, "parked"));
		}
		return table.text();
	}

	private static String sum(List<JsonNode> minutes, String field) {
		return number(minutes.stream().mapToLong((minute) -> minute.path(field).asLong(0)).sum());
	}

	private static String most(List<JsonNode> minutes) {
		return number(minutes.stream().mapToLong((minute) -> minute.path("callsPerSecond").asLong(0)).max().orElse(0));
	}

}
