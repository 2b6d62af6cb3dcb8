/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
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
import io.github.rabbitretry.benchmarks.delay.DrainBenchmark;
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
import io.github.rabbitretry.benchmarks.startup.StartBenchmark;
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
		all.put("start", new StartBenchmark());
		all.put("startup", new StartupBenchmark());
		all.put("delays", new DelayBenchmark());
		all.put("drain", new DrainBenchmark());
		all.put("capacity", new CapacityBenchmark());
		all.put("ledger", new LedgerBenchmark());
		all.put("replay", new ReplayBenchmark());
		all.put("soak", new SoakBenchmark());
		return all;
	}

	/**
	 * Runs one, or prints what was measured before. Ends the JVM, with 0 whatever the
	 * figures, with 1 if anything failed, with 2 for arguments that it does not know.
	 * @param arguments the folder for figures; a benchmark's name and its options, or
	 * {@code table}
	 */
	public static void main(String[] arguments) {
		Path folder = Path.of(arguments[0]);
		String name = (arguments.length > 1) ? arguments[1] : "";
		if (name.equals("table")) {
			printAll(folder);
			System.exit(0);
		}
		Benchmark benchmark = all().get(name);
		if (benchmark == null) {
			System.err.println(
					"There is no benchmark '%s', only %s. Usage: run NAME [OPTION...]".formatted(name, all().keySet()));
			System.exit(2);
		}
		System.exit(Options.command(name, benchmark, (options) -> run(name, benchmark, options, folder))
			.execute(Arrays.copyOfRange(arguments, 2, arguments.length)));
	}

	private static int run(String name, Benchmark benchmark, Options options, Path folder) {
		Report report = Report.of(name, benchmark, options);
		write(folder.resolve(name + ".json"), report);
		System.out.println(MarkdownTable.of(List.of(report)));
		if (report.failure() != null) {
			return 1;
		}
		Figure last = report.figures().get(report.figures().size() - 1);
		System.out.println("%s %s".formatted(last.name(), MarkdownTable.number(last.measured())));
		return 0;
	}

	private static void printAll(Path folder) {
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

	private static void write(Path file, Object value) {
		try {
			Files.createDirectories(file.getParent());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		JSON.writerWithDefaultPrettyPrinter().writeValue(file.toFile(), value);
	}

}
