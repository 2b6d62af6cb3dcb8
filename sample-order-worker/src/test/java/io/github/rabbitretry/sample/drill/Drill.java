/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.drill;

import java.io.IOException;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;

import io.github.rabbitretry.sample.outside.ProgressPrinter;

/**
 * The drill's command: makes all experiments and reports on each.
 */
public final class Drill {

	/** In their order. */
	static final List<Experiment> EXPERIMENTS = List.of(new DelayedRetry(), new ImmediateParking(),
			new KilledBeforeTheAck(), new ReplayAfterTheFix(), new PoisonFlood());

	private static final String USAGE = """
			usage: sample-order-worker/demo drill [--help]

			Five experiments on the queue payment.command.capture, each with what was expected and what was seen.

			Exit status: 0 if all was as expected, 1 if not, 2 for a wrong option.
			RABBIT_RETRY_BROKER_VERSION=4.3 asks for another broker; src/testbed/README.md has all such settings.
			""";

	private Drill() {
	}

	/**
	 * Runs the drill.
	 * @param arguments see {@code --help}
	 */
	public static void main(String[] arguments) {
		System.exit(run(Arrays.asList(arguments), System.out, Boolean.getBoolean("demo.terminal")));
	}

	static int run(List<String> arguments, PrintStream out, boolean terminal) {
		return DrillCommand.run(arguments, USAGE, Drill::command, out, terminal);
	}

	private static DrillCommand command(List<String> arguments) {
		if (!arguments.isEmpty()) {
			throw new IllegalArgumentException("unknown option '%s'".formatted(String.join(" ", arguments)));
		}
		return Drill::run;
	}

	private static boolean run(DrillEnvironment environment) throws IOException {
		ProgressPrinter progress = environment.progress();
		int ok = 0;
		for (int number = 1; number <= EXPERIMENTS.size(); number++) {
			Experiment experiment = EXPERIMENTS.get(number - 1);
			progress.line("");
			progress.line("%d. %s".formatted(number, experiment.title()));
			progress.line("  done    " + experiment.done());
			Findings findings = new Findings(progress::line);
			experiment.run(environment, findings);
			ok += findings.wrong().isEmpty() ? 1 : 0;
		}
		progress.line("");
		progress.line("%d of %d experiments went as expected".formatted(ok, EXPERIMENTS.size()));
		return ok == EXPERIMENTS.size();
	}

}
