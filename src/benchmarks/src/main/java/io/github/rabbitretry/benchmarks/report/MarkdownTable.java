/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks.report;

import java.util.List;
import java.util.Locale;

/**
 * Figures for people.
 */
public final class MarkdownTable {

	private MarkdownTable() {
	}

	/**
	 * Prints runs.
	 * @param reports the runs
	 * @return the machines, a line for each run, and one table
	 */
	public static String of(List<Report> reports) {
		StringBuilder text = new StringBuilder();
		reports.stream().map(Report::machine).distinct().forEach((machine) -> text.append(machine).append("\n\n"));
		reports.forEach((report) -> text.append(head(report)));
		text.append("\n| figure | target | measured | met |\n|---|--:|--:|---|\n");
		for (Report report : reports) {
			report.figures().forEach((figure) -> text.append(row(report.benchmark() + ": ", figure)).append('\n'));
			if (report.failure() != null) {
				text.append("| %s: %s | | | failed |\n".formatted(report.benchmark(),
						report.failure().lines().findFirst().orElse("").replace("|", "\\|")));
			}
		}
		return text.toString();
	}

	private static String head(Report report) {
		return String.format(Locale.ROOT, "- %s: %s, %s s, load %.1f before and %.1f after%s%n",
				(report.benchmark() + " " + report.options()).trim(), report.began(), report.seconds(),
				report.loads().get(0), report.loads().get(1),
				report.servers().isEmpty() ? "" : ", " + String.join(", ", report.servers()));
	}

	static String row(String prefix, Figure figure) {
		Figure.Target target = figure.target();
		return "| %s%s | %s | %s | %s |".formatted(prefix, figure.name(), (target != null) ? target(target) : "",
				measured(figure), (target != null) ? (target.metBy(figure.measured()) ? "yes" : "no") : "");
	}

	private static String target(Figure.Target target) {
		return (target.atLeast() ? "≥ " : "≤ ") + number(target.bound());
	}

	private static String measured(Figure figure) {
		String measured = (number(figure.measured()) + " " + figure.unit()).trim();
		List<Double> sorted = figure.rounds().stream().sorted().toList();
		return (sorted.size() > 1)
				? "%s (%s to %s)".formatted(measured, number(sorted.get(0)), number(sorted.get(sorted.size() - 1)))
				: measured;
	}

	/**
	 * A number with as many digits as say something.
	 * @param value any number
	 * @return such as 12,837 or 0.52
	 */
	public static String number(double value) {
		double size = Math.abs(value);
		String digits = (value == Math.rint(value) || size >= 100) ? ",.0" : (size >= 10) ? ".1" : ".2";
		return String.format(Locale.ROOT, "%" + digits + "f", value);
	}

}
