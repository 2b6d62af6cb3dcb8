/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.alerts;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

import tools.jackson.databind.JsonNode;

/**
 * A picture of a panel of the dashboard, as its queries were answered.
 */
final class Chart {

	private static final int WIDTH = 640;

	private static final int HEIGHT = 220;

	private static final int LEFT = 60;

	private static final int TOP = 30;

	private static final List<String> COLORS = List.of("#1f77b4", "#d62728", "#2ca02c", "#ff7f0e", "#9467bd", "#8c564b",
			"#17becf", "#7f7f7f");

	private final String title;

	private final Map<String, List<double[]>> lines = new LinkedHashMap<>();

	Chart(String title) {
		this.title = title;
	}

	/**
	 * Adds what a query was answered.
	 * @param data the API's answer to a query of a range
	 * @param legend as the dashboard has it, with labels in braces
	 */
	void add(JsonNode data, String legend) {
		for (JsonNode series : data.path("result")) {
			String name = legend;
			for (Map.Entry<String, JsonNode> label : series.path("metric").properties()) {
				name = name.replace("{{" + label.getKey() + "}}", label.getValue().asString());
			}
			List<double[]> points = new ArrayList<>();
			for (JsonNode value : series.path("values")) {
				points.add(new double[] { value.get(0).asDouble(), Double.parseDouble(value.get(1).asString()) });
			}
			this.lines.put(name, points.stream().filter((point) -> Double.isFinite(point[1])).toList());
		}
	}

	String svg() {
		double from = extreme(0, false);
		double to = extreme(0, true);
		double most = Math.max(extreme(1, true), 0.001);
		int height = TOP + HEIGHT + 30 + 18 * this.lines.size();
		StringBuilder svg = new StringBuilder(
				"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\">\n"
					.formatted(LEFT + WIDTH + 20, height));
		svg.append("<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n");
		text(svg, LEFT, 18, "start", this.title);
		for (int part = 0; part <= 2; part++) {
			double y = TOP + HEIGHT - HEIGHT * part / 2.0;
			svg.append("<path d=\"M%d %.0fh%d\" stroke=\"#dddddd\"/>\n".formatted(LEFT, y, WIDTH));
			text(svg, LEFT - 6, (int) y + 4, "end", "%.3g".formatted(most * part / 2));
		}
		text(svg, LEFT + WIDTH, TOP + HEIGHT + 16, "end", "%.0f s".formatted(to - from));
		int number = 0;
		for (Map.Entry<String, List<double[]>> line : this.lines.entrySet()) {
			String color = COLORS.get(number % COLORS.size());
			String points = line.getValue()
				.stream()
				.map((point) -> String.format(Locale.ROOT, "%.1f,%.1f",
						LEFT + WIDTH * (point[0] - from) / Math.max(to - from, 1),
						TOP + HEIGHT - HEIGHT * point[1] / most))
				.collect(Collectors.joining(" "));
			svg.append("<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>\n".formatted(points,
					color));
			int y = TOP + HEIGHT + 34 + 18 * number;
			svg.append("<path d=\"M%d %dh20\" stroke=\"%s\" stroke-width=\"3\"/>\n".formatted(LEFT, y - 4, color));
			text(svg, LEFT + 28, y, "start", line.getKey());
			number++;
		}
		return svg.append("</svg>\n").toString();
	}

	private static void text(StringBuilder svg, int x, int y, String anchor, String text) {
		svg.append("<text x=\"%d\" y=\"%d\" text-anchor=\"%s\">%s</text>\n".formatted(x, y, anchor,
				text.replace("&", "&amp;").replace("<", "&lt;")));
	}

	private double extreme(int dimension, boolean greatest) {
		return this.lines.values()
			.stream()
			.flatMap(List::stream)
			.mapToDouble((point) -> point[dimension])
			.reduce(greatest ? Math::max : Math::min)
			.orElse(0);
	}

}
