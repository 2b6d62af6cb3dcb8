/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.drill;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * The command that shows an outage of the payment gateway, without and with outage mode.
 */
public final class OutageDemo {

	private static final int PAYMENTS = 2000;

	private static final int SECONDS = 60;

	/** Until then all payments that are to be parked are. */
	private static final int FEWEST_SECONDS = 45;

	private static final String USAGE = """
			usage: sample-order-worker/demo outage [--seconds N] [--help]

			%d payments while the payment gateway is down, without and with outage mode.

			  --seconds N  how long it is down, %d or more; default %d
			  --help       this text

			Exit status: 0 if all was as expected, 1 if not, 2 for a wrong option.
			RABBIT_RETRY_BROKER_VERSION=4.3 asks for another broker; src/testbed/README.md has all such settings.
			""".formatted(PAYMENTS, FEWEST_SECONDS, SECONDS);

	private OutageDemo() {
	}

	/**
	 * Runs the demo.
	 * @param arguments see {@code --help}
	 */
	public static void main(String[] arguments) {
		System.exit(run(Arrays.asList(arguments), System.out, Boolean.getBoolean("demo.terminal")));
	}

	static int run(List<String> arguments, PrintStream out, boolean terminal) {
		return DrillCommand.run(arguments, USAGE, OutageDemo::command, out, terminal);
	}

	private static DrillCommand command(List<String> arguments) {
		return new Outage(PAYMENTS, Duration.ofSeconds(seconds(arguments)));
	}

	private static int seconds(List<String> arguments) {
		if (arguments.isEmpty()) {
			return SECONDS;
		}
		if (arguments.size() != 2 || !arguments.get(0).equals("--seconds")) {
			throw new IllegalArgumentException("unknown option '%s'".formatted(String.join(" ", arguments)));
		}
		String seconds = arguments.get(1);
		if (!seconds.matches("\\d{1,4}") || Integer.parseInt(seconds) < FEWEST_SECONDS) {
			throw new IllegalArgumentException(
					"--seconds is '%s', but must be a number from %d to 9999".formatted(seconds, FEWEST_SECONDS));
		}
		return Integer.parseInt(seconds);
	}

}
