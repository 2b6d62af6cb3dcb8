/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.rabbitretry.benchmarks.allocation.AllocationBenchmark;
import io.github.rabbitretry.benchmarks.capacity.CapacityBenchmark;
import io.github.rabbitretry.benchmarks.delay.DelayBenchmark;
import io.github.rabbitretry.benchmarks.flood.FloodBenchmark;
import io.github.rabbitretry.benchmarks.ledger.LedgerBenchmark;
import io.github.rabbitretry.benchmarks.ledger.ReplayBenchmark;
import io.github.rabbitretry.benchmarks.report.Benchmark;
import io.github.rabbitretry.benchmarks.report.Figure;
import io.github.rabbitretry.benchmarks.report.MarkdownTable;
import io.github.rabbitretry.benchmarks.report.Options;
import io.github.rabbitretry.benchmarks.report.Report;
import io.github.rabbitretry.benchmarks.soak.SoakBenchmark;
import io.github.rabbitretry.benchmarks.startup.IdleBenchmark;
import io.github.rabbitretry.benchmarks.startup.StartupBenchmark;
import io.github.rabbitretry.benchmarks.throughput.HandoverBenchmark;
import io.github.rabbitretry.benchmarks.throughput.SuccessBenchmark;
import tools.jackson.databind.json.JsonMapper;

/**
 * Runs a benchmark, prints its figures, and keeps them for the table of all.
 */
public final class Benchmarks {

	private static final JsonMapper JSON = JsonMapper.builder().build();

	private Benchmarks() {
	}

	private static Map<String, Benchmark> all() {
		Map<String, Benchmark> all = new LinkedHashMap<>();
		all.put("handover", new HandoverBenchmark());
		all.put("success", new SuccessBenchmark());
		all.put("allocation", new AllocationBenchmark());
		all.put("flood", new FloodBenchmark());
		all.put("idle", new IdleBenchmark());
		all.put("startup", new StartupBenchmark());
		all.put("delays", new DelayBenchmark());
		all.put("capacity", new CapacityBenchmark());
		all.put("ledger", new LedgerBenchmark());
		all.put("replay", new ReplayBenchmark());
		all.put("soak", new SoakBenchmark());
		return all;
	}

	/**
	 * Runs one, or prints what was measured before. Ends the JVM, with 0 whatever the
	 * figures, with 1 if anything failed.
	 * @param arguments the folder for figures; a benchmark's name and its options, or
	 * {@code table}
	 * @throws Exception if the figures can't be read or written
	 */
	public static void main(String[] arguments) throws Exception {
		Path folder = Path.of(arguments[0]);
		if (arguments[1].equals("table")) {
			printAll(folder);
			System.exit(0);
		}
		String name = arguments[1];
		Benchmark benchmark = all().get(name);
		try {
			Options options = Options.of(Arrays.asList(arguments).subList(2, arguments.length), benchmark);
			Report report = Report.of(name, benchmark, options);
			write(folder.resolve(name + ".json"), report);
			System.out.println(MarkdownTable.of(List.of(report)));
			if (report.failure() == null) {
				Figure last = report.figures().get(report.figures().size() - 1);
				System.out.println("%s %s".formatted(last.name(), MarkdownTable.number(last.measured())));
			}
			System.exit((report.failure() == null) ? 0 : 1);
		}
		catch (IllegalArgumentException ex) {
			System.err.println(ex.getMessage());
			System.exit(1);
		}
	}

	private static void printAll(Path folder) throws Exception {
		List<Report> reports = new ArrayList<>();
		for (String name : all().keySet()) {
			Path file = folder.resolve(name + ".json");
			if (Files.exists(file)) {
				reports.add(JSON.readValue(file.toFile(), Report.class));
			}
		}
		write(folder.resolve("all.json"), reports);
		System.out.print(MarkdownTable.of(reports));
	}

	private static void write(Path file, Object value) throws Exception {
		Files.createDirectories(file.getParent());
		JSON.writerWithDefaultPrettyPrinter().writeValue(file.toFile(), value);
	}

}
