/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.actuate;

import java.util.OptionalInt;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/**
 * How many messages a simulation has handled at a time unless it is told.
 *
 * @param number how many
 * @param why where the number is from
 */
record AssumedConsumers(int number, String why) {

	private static final String LISTENER = "spring.rabbitmq.listener.";

	/**
	 * The consumers of this process, as its listeners have them.
	 * @param number all of them, 1 or more
	 * @return the assumption
	 */
	static AssumedConsumers ofListeners(int number) {
		return new AssumedConsumers(number, "what the listeners of one instance may have");
	}

	/**
	 * The consumers that the configuration gives to a listener that does not ask for
	 * another number.
	 * @param environment the configuration
	 * @return the assumption
	 */
	static AssumedConsumers of(Environment environment) {
		boolean direct = "direct".equalsIgnoreCase(environment.getProperty(LISTENER + "type"));
		String[] keys = direct ? new String[] { "direct.consumers-per-queue" }
				: new String[] { "simple.max-concurrency", "simple.concurrency" };
		for (String key : keys) {
			OptionalInt number = Binder.get(environment)
				.bind(LISTENER + key, Integer.class)
				.map(OptionalInt::of)
				.orElse(OptionalInt.empty());
			if (number.isPresent() && number.getAsInt() > 0) {
				return new AssumedConsumers(number.getAsInt(), LISTENER + key + " of one instance");
			}
		}
		return new AssumedConsumers(1, "Spring's default of one instance, as " + LISTENER
				+ (direct ? "direct.consumers-per-queue" : "simple.concurrency") + " is not set");
	}

	String sentence() {
		return "concurrency: %d, %s".formatted(this.number, this.why);
	}

}
