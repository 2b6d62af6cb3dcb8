/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.demo;

import java.util.Iterator;
import java.util.List;

/**
 * What the command line asks for.
 *
 * @param orders how many orders to publish
 * @param keep whether broker and worker stay at the end
 * @param handsOn whether what is parked is left to the user, once the fix is deployed
 * @param leastPrivilege whether the worker's user has only the permissions that the
 * export gives it
 * @param help whether only the usage is asked for
 */
record DemoOptions(int orders, boolean keep, boolean handsOn, boolean leastPrivilege, boolean help) {

	static final String USAGE = """
			usage: sample-order-worker/demo [--orders N] [--keep | --hands-on] [--least-privilege] [--help]
			       sample-order-worker/demo drill
			       sample-order-worker/demo outage

			  --orders N         how many orders to publish, %d or more; default %d
			  --keep             leave broker and worker running to look around, until Ctrl-C
			  --hands-on         deploy the fix and leave all replays to you, until Ctrl-C
			  --least-privilege  another user declares the queues, and the worker's has the exported permissions only
			  --help             this text

			Exit status: 0 if every order is accounted for exactly, 1 if not, 2 for a wrong option.
			RABBIT_RETRY_BROKER_VERSION=4.3 asks for another broker; src/testbed/README.md has all such settings.
			""".formatted(Mix.FEWEST, 10_000);

	static DemoOptions parse(List<String> arguments) {
		DemoOptions options = new DemoOptions(10_000, false, false, false, false);
		Iterator<String> rest = arguments.iterator();
		while (rest.hasNext()) {
			options = options.with(rest.next(), rest);
		}
		return options;
	}

	private DemoOptions with(String argument, Iterator<String> rest) {
		if (argument.equals("--orders") && rest.hasNext()) {
			return withOrders(orders(rest.next()));
		}
		if (argument.startsWith("--orders=")) {
			return withOrders(orders(argument.substring("--orders=".length())));
		}
		return switch (argument) {
			case "--orders" -> throw new IllegalArgumentException("--orders needs a number");
			case "--keep" -> new DemoOptions(this.orders, true, this.handsOn, this.leastPrivilege, this.help);
			case "--hands-on" -> new DemoOptions(this.orders, true, true, this.leastPrivilege, this.help);
			case "--least-privilege" -> new DemoOptions(this.orders, this.keep, this.handsOn, true, this.help);
			case "--help", "-h" -> new DemoOptions(this.orders, this.keep, this.handsOn, this.leastPrivilege, true);
			default -> throw new IllegalArgumentException("unknown option '%s'".formatted(argument));
		};
	}

	private DemoOptions withOrders(int number) {
		return new DemoOptions(number, this.keep, this.handsOn, this.leastPrivilege, this.help);
	}

	private static int orders(String text) {
		try {
			int orders = Integer.parseInt(text);
			if (orders >= Mix.FEWEST) {
				return orders;
			}
		}
		catch (NumberFormatException ex) {
			// reported below
		}
		throw new IllegalArgumentException(
				"--orders is '%s', but must be a number from %d".formatted(text, Mix.FEWEST));
	}

}
