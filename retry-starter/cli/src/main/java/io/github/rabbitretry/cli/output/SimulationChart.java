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

import tools.jackson.databind.JsonNode;

/**
 * Simulations as a picture: calls per second, waiting and parked messages, one below the
 * other over the same time. Plain SVG, light or dark as its reader has it.
 */
public final class SimulationChart {

	private static final int WIDTH = 860;

	private static final int LEFT = 84;

	private static final int PLOT = 752;

	private static final int HEIGHT = 130;

	private static final int ABOVE = 40;

	private static final int TOP = 56;

	/** More can't be told apart. */
	private static final int MOST_POINTS = 500;

	private static final String STYLE = """
			<style>
			svg { background: #ffffff; }
			text { font: 12px system-ui, sans-serif; fill: #24292f; }
			.title { font-size: 15px; font-weight: 600; }
			.axis { stroke: #8c959f; stroke-width: 1; fill: none; }
			.grid { stroke: #d8dee4; stroke-width: 1; }
			.outage { fill: #cf222e; fill-opacity: 0.1; }
			.line { fill: none; stroke-width: 2; stroke-linejoin: round; }
			.line.one { stroke: #0969da; }
			.line.two { stroke: #bc4c00; stroke-dasharray: 7 4; }
			@media (prefers-color-scheme: dark) {
			svg { background: #0d1117; }
			text { fill: #e6edf3; }
			.axis { stroke: #7d8590; }
			.grid { stroke: #30363d; }
			.outage { fill: #ff7b72; fill-opacity: 0.16; }
			.line.one { stroke: #58a6ff; }
			.line.two { stroke: #ffa657; }
			}
			</style>
			""";

	private final StringBuilder svg = new StringBuilder();

	private final List<JsonNode> simulations;

	private final int minutes;

	private SimulationChart(JsonNode answer) {
		this.simulations = answer.path("simulations").valueStream().limit(2).toList();
		this.minutes = Math.max(1,
				this.simulations.stream().mapToInt((one) -> one.path("minutes").size()).max().orElse(1));
	}

	/**
	 * Draws simulations.
	 * @param answer one or two of them
	 * @return an SVG document
	 */
	public static String of(JsonNode answer) {
		return new SimulationChart(answer).draw();
	}

	private String draw() {
		boolean two = this.simulations.size() > 1;
		int first = TOP + (two ? 24 : 0);
		int height = first + 3 * (ABOVE + HEIGHT) + 48;
		String title = this.simulations.isEmpty() ? "" : SimulationTables.title(this.simulations.get(0));
		this.svg.append("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\">\n"
			.formatted(WIDTH, height));
		this.svg.append("<title>").append(escaped(title)).append("</title>\n").append(STYLE);
		text("title", 16, 28, "start", title);
		text("", 16, 48, "start", "Shaded: the called service is down.");
		if (two) {
			legend();
		}
		panel(first, "handler calls per second, the most of each minute", "callsPerSecond");
		panel(first + ABOVE + HEIGHT, "messages waiting for their next attempt or a consumer", "waiting");
		panel(first + 2 * (ABOVE + HEIGHT), "messages parked, in all", "parked");
		int bottom = first + 3 * (ABOVE + HEIGHT);
		int step = timeStep();
		for (int minute = 0; minute <= this.minutes; minute += step) {
			text("", x(minute), bottom + 18, "middle", time(minute));
		}
		text("", LEFT + PLOT / 2.0, bottom + 38, "middle", "time since the first message");
		return this.svg.append("</svg>\n").toString();
	}

	private void legend() {
		double x = 16;
		for (int index = 0; index < this.simulations.size(); index++) {
			String name = (index + 1) + ": " + this.simulations.get(index).path("configuration").asString("");
			this.svg.append(
					"<path class=\"line %s\" d=\"M%s 66h28\"/>\n".formatted((index == 0) ? "one" : "two", number(x)));
			text("", x + 34, 70, "start", name);
			x += 60 + 7.5 * name.length();
		}
	}

	private void panel(int above, String label, String field) {
		int top = above + ABOVE;
		int bottom = top + HEIGHT;
		List<List<Double>> lines = this.simulations.stream().map((one) -> values(one, field)).toList();
		double most = rounded(lines.stream().flatMap(List::stream).mapToDouble(Double::doubleValue).max().orElse(0));
		double down = Math.min(loadMinutes("outageAt"), this.minutes);
		double up = Math.min(down + loadMinutes("outage"), this.minutes);
		this.svg.append("<rect class=\"outage\" x=\"%s\" y=\"%d\" width=\"%s\" height=\"%d\"/>\n"
			.formatted(number(x(down)), top, number(x(up) - x(down)), HEIGHT));
		text("", LEFT, top - 8, "start", label);
		for (int part = 0; part <= 2; part++) {
			double y = bottom - HEIGHT * part / 2.0;
			this.svg.append("<path class=\"%s\" d=\"M%d %sh%d\"/>\n".formatted((part == 0) ? "axis" : "grid", LEFT,
					number(y), PLOT));
			text("", LEFT - 8, y + 4, "end", String.format(Locale.ROOT, "%,.0f", most * part / 2));
		}
		this.svg.append("<path class=\"axis\" d=\"M%d %dv%d\"/>\n".formatted(LEFT, top, HEIGHT));
		for (int index = 0; index < lines.size(); index++) {
			line((index == 0) ? "one" : "two", lines.get(index), bottom, most);
		}
	}

	private double loadMinutes(String field) {
		return this.simulations.isEmpty() ? 0
				: Duration.parse(this.simulations.get(0).path("load").path(field).asString("PT0S")).toSeconds() / 60.0;
	}

	private void line(String name, List<Double> values, int bottom, double most) {
		int step = Math.max(1, (values.size() + MOST_POINTS - 1) / MOST_POINTS);
		StringBuilder path = new StringBuilder();
		for (int from = 0; from < values.size(); from += step) {
			double value = values.subList(from, Math.min(from + step, values.size()))
				.stream()
				.mapToDouble(Double::doubleValue)
				.max()
				.orElse(0);
			path.append((from == 0) ? "M" : "L")
				.append(number(x(from + step / 2.0)))
				.append(' ')
				.append(number(bottom - HEIGHT * value / most));
		}
		this.svg.append("<path class=\"line %s\" d=\"%s\"/>\n".formatted(name, path));
	}

	private static List<Double> values(JsonNode simulation, String field) {
		List<Double> values = new ArrayList<>();
		for (JsonNode minute : simulation.path("minutes")) {
			long value = minute.path(field).asLong(0);
			values.add((double) (field.equals("waiting") ? value + minute.path("ready").asLong(0) : value));
		}
		return values;
	}

	/** The next even number with one digit and zeros, so that its half is round too. */
	private static double rounded(double value) {
		double unit = Math.pow(10, Math.floor(Math.log10(Math.max(2, value))));
		return Math.max(2, 2 * unit * Math.ceil(value / (2 * unit)));
	}

	private int timeStep() {
		for (int step : new int[] { 1, 2, 5, 10, 15, 30, 60, 120, 240, 720, 1440, 2880, 7200 }) {
			if (this.minutes <= 12 * step) {
				return step;
			}
		}
		return this.minutes;
	}

	private static String time(int minute) {
		if (minute % 1440 == 0 && minute > 0) {
			return minute / 1440 + " d";
		}
		return (minute % 60 == 0 && minute > 0) ? minute / 60 + " h" : minute + " min";
	}

	private double x(double minute) {
		return LEFT + PLOT * minute / this.minutes;
	}

	private void text(String name, double x, double y, String anchor, String text) {
		this.svg.append("<text%s x=\"%s\" y=\"%s\" text-anchor=\"%s\">%s</text>\n"
			.formatted(name.isEmpty() ? "" : " class=\"" + name + "\"", number(x), number(y), anchor, escaped(text)));
	}

	private static String number(double value) {
		String text = String.format(Locale.ROOT, "%.1f", value);
		return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
	}

	private static String escaped(String text) {
		return SafeText.line(text)
			.replace("&", "&amp;")
			.replace("<", "&lt;")
			.replace(">", "&gt;")
			.replace("\"", "&quot;");
	}

}
