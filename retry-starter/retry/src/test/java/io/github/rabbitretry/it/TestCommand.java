/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.rabbitretry.broker.Broker;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Printed commands, as a shell runs them.
 */
public final class TestCommand {

	/** What users of tests have. */
	public static final String PASSWORD = "s3cret";

	private TestCommand() {
	}

	/**
	 * Splits a command.
	 * @param command the command
	 * @return its words, without the name of the program
	 */
	public static String[] words(String command) {
		List<String> words = new ArrayList<>();
		Matcher matcher = Pattern.compile("'([^']*)'|([^ ']+)").matcher(command);
		while (matcher.find()) {
			words.add((matcher.group(1) != null) ? matcher.group(1) : matcher.group(2));
		}
		assertThat(words.remove(0)).isEqualTo("rabbitmqctl");
		return words.toArray(String[]::new);
	}

	/**
	 * Runs commands, some of which make users, who get a password.
	 * @param commands lines for a shell
	 * @param declaration declares what the last of them need
	 */
	public static void run(List<String> commands, Runnable declaration) {
		for (String command : commands) {
			if (command.startsWith("# once the exchanges are declared")) {
				declaration.run();
			}
			if (command.startsWith("rabbitmqctl add_user ")) {
				Broker.shared().ctl(words(command + " " + PASSWORD));
			}
			else if (!command.startsWith("#")) {
				Broker.shared().ctl(words(command));
			}
		}
	}

}
