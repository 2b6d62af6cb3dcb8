/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;

import io.github.rabbitretry.broker.Broker;

/**
 * The table, where it was measured, and the ratio as the last line.
 */
final class BenchmarkReport {

	private final List<Result> results;

	private final Result reference;

	BenchmarkReport(List<Result> results, Contender reference) {
		this.results = results;
		this.reference = results.stream().filter((result) -> result.side() == reference).findFirst().orElseThrow();
	}

	void print(PrintStream out, Contender numerator, Broker broker) {
		int width = this.results.stream().mapToInt((result) -> result.side().name().length()).max().orElse(0);
		StringBuilder head = new StringBuilder(pad("side", width));
		for (int round = 1; round <= this.reference.rates().size(); round++) {
			head.append(" | round ").append(round);
		}
		out.println(head.append(" | median msg/s | relative"));
		for (Result result : this.results) {
			StringBuilder row = new StringBuilder(pad(result.side().name(), width));
			result.rates().forEach((rate) -> row.append(format(" | %7.0f", rate)));
			out.println(row.append(format(" | %12.0f | %8.2f", result.median(), relative(result))));
		}
		out.println();
		out.println("%d cores, %s %s, RabbitMQ %s".formatted(Runtime.getRuntime().availableProcessors(),
				System.getProperty("java.vm.name"), System.getProperty("java.vm.version"), broker.version()));
		Result above = this.results.stream().filter((result) -> result.side() == numerator).findFirst().orElseThrow();
		out.println(format("ratio %.1f", relative(above)));
	}

	private double relative(Result result) {
		return result.median() / this.reference.median();
	}

	private static String pad(String text, int width) {
		return text + " ".repeat(width - text.length());
	}

	private static String format(String pattern, Object... values) {
		return String.format(Locale.ROOT, pattern, values);
	}

}
