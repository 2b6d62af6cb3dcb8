/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.broker;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * Starts a broker, prints where it is, and stops it when standard input closes or when it
 * is asked to end.
 */
public final class RunBroker {

	private RunBroker() {
	}

	/**
	 * Runs until standard input closes, Ctrl-C or SIGTERM.
	 * @param arguments none
	 * @throws IOException if standard input can't be read
	 */
	public static void main(String[] arguments) throws IOException {
		long begin = System.nanoTime();
		Broker broker;
		try {
			broker = Broker.start();
		}
		catch (NoBrokerException ex) {
			System.err.println(ex.getMessage());
			System.exit(1);
			return;
		}
		Runtime.getRuntime().addShutdownHook(new Thread(broker::close, "close the broker"));
		System.out.println(broker.description());
		System.out.println("AMQP        " + broker.amqpUri());
		broker.managementUri().ifPresent((uri) -> System.out.println("management  " + uri));
		broker.prometheusUri().ifPresent((uri) -> System.out.println("Prometheus  " + uri));
		System.out.println("ready in %s ms; runs until standard input closes or Ctrl-C"
			.formatted(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin)));
		while (System.in.read() != -1) {
			continue;
		}
		System.exit(0);
	}

}
