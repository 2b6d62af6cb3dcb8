/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks.startup;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

import io.github.rabbitretry.benchmarks.report.Benchmark;
import io.github.rabbitretry.benchmarks.report.BenchmarkApplication;
import io.github.rabbitretry.benchmarks.report.Figure;
import io.github.rabbitretry.benchmarks.report.Options;
import io.github.rabbitretry.benchmarks.report.Results;
import io.github.rabbitretry.broker.Broker;

/**
 * What the starter adds to the start of a small service: the same service in new JVMs,
 * with the starter and one policy, and without.
 */
public final class StartBenchmark implements Benchmark {

	private static final String POLICY = "rabbit-retry.message-policies.Order.queue";

	@Override
	public Map<String, Integer> options() {
		return Map.of("--rounds", 7);
	}

	@Override
	public Map<String, Integer> quick() {
		return Map.of("--rounds", 2);
	}

	@Override
	public void measure(Options options, Results results) throws IOException {
		try (Broker broker = results.startBroker()) {
			// declares the queues, which both sides then find, and fills the disk's cache
			start(broker, true);
			start(broker, false);
			List<Start> with = new ArrayList<>();
			List<Start> without = new ArrayList<>();
			for (int round = 0; round < options.get("--rounds"); round++) {
				without.add(start(broker, false));
				with.add(start(broker, true));
			}
			add(results, "start", "s", without, with, (start) -> start.millis / 1e3);
			add(results, "classes", "", without, with, Start::classes);
			add(results, "heap", "MiB", without, with, (start) -> start.heap / 1024.0 / 1024);
			List<Double> ratios = new ArrayList<>();
			for (int round = 0; round < with.size(); round++) {
				ratios.add(with.get(round).millis / (double) without.get(round).millis);
			}
			results.add(Figure.of("start with the starter, by without", "", ratios).atMost(1.15));
		}
	}

	private static void add(Results results, String name, String unit, List<Start> without, List<Start> with,
			ToDoubleFunction<Start> value) {
		results.add(Figure.of(name + " without", unit, without.stream().mapToDouble(value).boxed().toList()));
		results.add(Figure.of(name + " with the starter", unit, with.stream().mapToDouble(value).boxed().toList()));
	}

	private static Start start(Broker broker, boolean starter) throws IOException {
		Map<String, Object> properties = BenchmarkApplication.connectedTo(broker);
		properties.remove("rabbit-retry.ledger.enabled");
		if (starter) {
			properties.put(POLICY, OneTypeService.QUEUE);
		}
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
						classPath(starter ? StartBenchmark::service : (entry) -> service(entry) && !ours(entry)),
						OneTypeService.class.getName()));
		properties.forEach((key, value) -> command.add("--" + key + "=" + value));
		Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
		try (BufferedReader output = process.inputReader()) {
			List<String> lines = output.lines().toList();
			return lines.stream()
				.filter((line) -> line.startsWith(OneTypeService.STARTED))
				.map(Start::parse)
				.findAny()
				.orElseThrow(() -> new IllegalStateException(String.join("\n", lines)));
		}
		catch (UncheckedIOException ex) {
			throw ex.getCause();
		}
		finally {
			process.destroyForcibly();
		}
	}

	private static String classPath(Predicate<String> used) {
		return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
			.filter(used)
			.collect(Collectors.joining(File.pathSeparator));
	}

	/** What the starter's user has: no ledger, no broker of tests. */
	private static boolean service(String entry) {
		String name = Path.of(entry).getFileName().toString();
		return !name.startsWith("rabbit-retry-parking") && !name.startsWith("rabbit-retry-testbed");
	}

	private static boolean ours(String entry) {
		return Path.of(entry).getFileName().toString().startsWith("rabbit-retry");
	}

	/**
	 * What a start took.
	 *
	 * @param millis from the JVM's start until the application runs
	 * @param classes how many were loaded
	 * @param heap bytes in use after a collection
	 */
	private record Start(long millis, int classes, long heap) {

		static Start parse(String line) {
			String[] words = line.split(" ");
			Start start = new Start(Long.parseLong(words[1]), Integer.parseInt(words[2]), Long.parseLong(words[3]));
			System.err.println(String.format(Locale.ROOT, "%s", start));
			return start;
		}

	}

}
