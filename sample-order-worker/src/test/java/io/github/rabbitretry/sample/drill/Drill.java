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
import java.util.concurrent.TimeoutException;

import io.github.rabbitretry.sample.outside.ProgressPrinter;

/**
 * The drill's command: makes all experiments and tells of each.
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

	private final ProgressPrinter progress;

	private Drill(ProgressPrinter progress) {
		this.progress = progress;
	}

	/**
	 * Runs the drill.
	 * @param arguments see {@code --help}
	 */
	public static void main(String[] arguments) {
		System.exit(run(Arrays.asList(arguments), System.out, Boolean.getBoolean("demo.terminal")));
	}

	static int run(List<String> arguments, PrintStream out, boolean terminal) {
		if (!arguments.isEmpty()) {
			boolean help = arguments.equals(List.of("--help")) || arguments.equals(List.of("-h"));
			if (!help) {
				out.println("unknown option '%s'".formatted(String.join(" ", arguments)));
			}
			out.print(USAGE);
			return help ? 0 : 2;
		}
		ProgressPrinter progress = new ProgressPrinter(out, terminal);
		progress.line("Starting a broker, a payment gateway and the worker ...");
		try (DrillEnvironment environment = DrillEnvironment.open(progress)) {
			// Ctrl-C: the worker first, or it looks for its broker until it is killed
			Thread ending = new Thread(() -> {
				progress.lastLine("Stopping the worker and the broker ...");
				environment.close();
			}, "end the drill");
			Runtime.getRuntime().addShutdownHook(ending);
			try {
				return new Drill(progress).run(environment);
			}
			finally {
				removeHook(ending);
			}
		}
		catch (IOException | TimeoutException | RuntimeException ex) {
			progress.line("");
			progress.line(String.valueOf((ex.getMessage() != null) ? ex.getMessage() : ex));
			return 1;
		}
	}

	private static void removeHook(Thread hook) {
		try {
			Runtime.getRuntime().removeShutdownHook(hook);
		}
		catch (IllegalStateException ex) {
			// it runs already
		}
	}

	private int run(DrillEnvironment environment) throws IOException {
		this.progress.line("  " + environment.description());
		int ok = 0;
		for (int number = 1; number <= EXPERIMENTS.size(); number++) {
			Experiment experiment = EXPERIMENTS.get(number - 1);
			this.progress.line("");
			this.progress.line("%d. %s".formatted(number, experiment.title()));
			this.progress.line("  done    " + experiment.done());
			Findings findings = new Findings(this.progress::line);
			experiment.run(environment, findings);
			ok += findings.wrong().isEmpty() ? 1 : 0;
		}
		this.progress.line("");
		this.progress.line("%d of %d experiments went as expected".formatted(ok, EXPERIMENTS.size()));
		return (ok == EXPERIMENTS.size()) ? 0 : 1;
	}

}
