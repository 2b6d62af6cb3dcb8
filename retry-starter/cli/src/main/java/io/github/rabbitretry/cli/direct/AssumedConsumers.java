/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli.direct;

import java.util.List;
import java.util.regex.Pattern;

import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/**
 * How many messages a simulation has handled at a time unless it is given a number.
 *
 * @param number how many
 * @param why where the number is from
 */
record AssumedConsumers(int number, String why) {

	private static final String LISTENER = "spring.rabbitmq.listener.";

	private static final Pattern NUMBER = Pattern.compile("0*[1-9][0-9]{0,5}");

	/**
	 * The consumers that the configuration gives to a listener that does not ask for
	 * another number.
	 * @param environment the configuration
	 * @return the assumption
	 */
	static AssumedConsumers of(Environment environment) {
		boolean direct = "direct".equalsIgnoreCase(value(environment, "type"));
		List<String> keys = direct ? List.of("direct.consumers-per-queue")
				: List.of("simple.max-concurrency", "simple.concurrency");
		for (String key : keys) {
			String number = value(environment, key);
			if (NUMBER.matcher(number).matches()) {
				return new AssumedConsumers(Integer.parseInt(number), LISTENER + key + " of one instance");
			}
		}
		return new AssumedConsumers(1, "Spring's default of one instance, as " + LISTENER
				+ (direct ? "direct.consumers-per-queue" : "simple.concurrency") + " is not set");
	}

	/** Empty also for a placeholder that has no value here. */
	private static String value(Environment environment, String key) {
		try {
			return Binder.get(environment).bind(LISTENER + key, String.class).orElse("");
		}
		catch (BindException ex) {
			return "";
		}
	}

	String sentence() {
		return "concurrency: %d, %s".formatted(this.number, this.why);
	}

}
