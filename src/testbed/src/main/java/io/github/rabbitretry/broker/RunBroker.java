/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.broker;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * Starts a broker, prints the environment of a service that uses it, and stops it when
 * standard input closes or when it is asked to end.
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
		System.out.println("Ready in %s ms. Stays in the foreground, until Ctrl-C. In the shell of your service, paste:"
			.formatted(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin)));
		exports(broker.amqpUri(), broker.managementUri().orElse(null)).forEach(System.out::println);
		broker.managementUri().ifPresent((uri) -> System.out.println("Management page: " + uri));
		broker.prometheusUri().ifPresent((uri) -> System.out.println("Prometheus: " + uri));
		while (System.in.read() != -1) {
			continue;
		}
		System.exit(0);
	}

	/**
	 * The user of the management API is that of the connection, so its address needs
	 * none.
	 */
	static List<String> exports(URI amqp, @Nullable URI management) {
		List<String> lines = new ArrayList<>();
		lines.add("export SPRING_RABBITMQ_ADDRESSES='%s'".formatted(amqp));
		if (management != null) {
			lines.add("export RABBITRETRY_BROKER_MANAGEMENTURL='%s'"
				.formatted(management.toString().replaceFirst("://[^/]*@", "://")));
		}
		return lines;
	}

}
