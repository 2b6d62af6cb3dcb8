/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.drill;

import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

import io.github.rabbitretry.sample.outside.ProgressPrinter;
import io.github.rabbitretry.sample.outside.ShutdownHook;

/**
 * A command that does something to a worker and reports what was seen.
 */
interface DrillCommand {

	/**
	 * Does it.
	 * @param environment where
	 * @return whether all was as expected
	 * @throws IOException if broker or worker do not answer as they should
	 */
	boolean run(DrillEnvironment environment) throws IOException;

	/**
	 * Runs a command.
	 * @param arguments what was given on the command line
	 * @param usage what {@code --help} prints
	 * @param parser makes the command of the arguments, or throws an
	 * {@link IllegalArgumentException} that says what is wrong with them
	 * @param out where to print
	 * @param terminal whether that is a terminal
	 * @return the exit status
	 */
	static int run(List<String> arguments, String usage, Function<List<String>, DrillCommand> parser, PrintStream out,
			boolean terminal) {
		if (arguments.equals(List.of("--help")) || arguments.equals(List.of("-h"))) {
			out.print(usage);
			return 0;
		}
		DrillCommand command;
		try {
			command = parser.apply(arguments);
		}
		catch (IllegalArgumentException ex) {
			out.println(ex.getMessage());
			out.print(usage);
			return 2;
		}
		ProgressPrinter progress = new ProgressPrinter(out, terminal);
		progress.line("Starting a broker, a payment gateway and the worker ...");
		// Ctrl-C: the worker first, or it looks for its broker until it is killed
		try (DrillEnvironment environment = DrillEnvironment.open(progress);
				ShutdownHook hook = new ShutdownHook(() -> {
					progress.lastLine("Stopping the worker and the broker ...");
					environment.close();
				})) {
			progress.line("  " + environment.description());
			return command.run(environment) ? 0 : 1;
		}
		catch (IOException | TimeoutException | RuntimeException ex) {
			progress.line("");
			progress.line(String.valueOf((ex.getMessage() != null) ? ex.getMessage() : ex));
			return 1;
		}
	}

}
