/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks.allocation;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.github.rabbitretry.benchmarks.report.Benchmark;
import io.github.rabbitretry.benchmarks.report.Figure;
import io.github.rabbitretry.benchmarks.report.Options;
import io.github.rabbitretry.benchmarks.report.Results;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Bytes and time that a policy adds to a delivery, without a broker.
 */
public final class AllocationBenchmark implements Benchmark {

	@Override
	public Map<String, Integer> options() {
		return Map.of("--forks", 3, "--iterations", 5, "--seconds", 2);
	}

	@Override
	public Map<String, Integer> quick() {
		return Map.of("--forks", 1, "--iterations", 3);
	}

	@Override
	public void measure(Options options, Results results) throws Exception {
		TimeValue seconds = TimeValue.seconds(options.get("--seconds"));
		Map<String, RunResult> runs = new Runner(
				new OptionsBuilder().include("^" + DeliveryAllocation.class.getName() + "\\.")
					.addProfiler(GCProfiler.class)
					.forks(options.get("--forks"))
					.warmupIterations(options.get("--iterations"))
					.warmupTime(seconds)
					.measurementIterations(options.get("--iterations"))
					.measurementTime(seconds)
					.shouldFailOnError(true)
					.jvmArgsAppend("-Xmx512m")
					.build(),
				OutputFormatFactory.createFormatInstance(System.err, VerboseMode.NORMAL))
			.run()
			.stream()
			.collect(Collectors.toMap((run) -> run.getPrimaryResult().getLabel(), (run) -> run));
		for (String outcome : List.of("failure", "success")) {
			RunResult without = runs.get(outcome + "WithoutPolicy");
			RunResult with = runs.get(outcome + "WithPolicy");
			results.add(Figure.of(outcome + ", time without a policy", "ns", without.getPrimaryResult().getScore()));
			results.add(Figure.of(outcome + ", time with a policy", "ns", with.getPrimaryResult().getScore()));
			results.add(Figure.of(outcome + ", allocated without a policy", "B", bytes(without)));
			results.add(Figure.of(outcome + ", allocated with a policy", "B", bytes(with)));
		}
		double beyond = bytes(runs.get("successWithPolicy")) - bytes(runs.get("successWithoutPolicy"));
		// less than the smallest object: a difference of averages is not exactly 0
		results.add(Figure.of("success, allocated because of a policy", "B", beyond).atMost(1));
	}

	private static double bytes(RunResult run) {
		return run.getSecondaryResults().get("gc.alloc.rate.norm").getScore();
	}

}
