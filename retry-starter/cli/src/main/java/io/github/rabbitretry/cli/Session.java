/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli;

import java.util.Map;
import java.util.function.BiFunction;

import io.github.rabbitretry.cli.output.Console;
import io.github.rabbitretry.cli.output.Display;
import io.github.rabbitretry.cli.output.JsonOutput;
import io.github.rabbitretry.cli.service.Service;
import io.github.rabbitretry.cli.service.ServiceException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What all commands share.
 */
final class Session {

	private static final String USER = "RABBIT_RETRY_USER";

	private final GlobalOptions options = new GlobalOptions();

	private final Console console;

	private final Map<String, String> environment;

	private final Ways ways;

	private final Pause pause;

	Session(Console console, Map<String, String> environment, Ways ways, Pause pause) {
		this.console = console;
		this.environment = environment;
		this.ways = ways;
		this.pause = pause;
	}

	GlobalOptions options() {
		return this.options;
	}

	Console console() {
		return this.console;
	}

	Pause pause() {
		return this.pause;
	}

	/**
	 * The service that has the messages and replays.
	 * @return the service
	 */
	Service open() {
		if (this.options.direct()) {
			throw ServiceException.usage(
					"--config is for doctor, topology, export and simulate. Messages and replays need a running service: give its actuator with --url.");
		}
		return this.ways.open(this.options, this.environment);
	}

	/**
	 * What knows the topology: a service, or a configuration.
	 * @param offline whether the broker is not needed
	 * @return the endpoints
	 */
	Service openTopology(boolean offline) {
		return this.options.direct() ? this.ways.configured(this.options, offline)
				: this.ways.open(this.options, this.environment);
	}

	/**
	 * Adds who does it, unless that is given or the service knows who has logged in. A
	 * person at a terminal is asked for what is missing. A dry run is not recorded, and
	 * needs neither a user nor a reason.
	 * @param arguments the arguments of the request
	 * @param dryRun whether it is a dry run
	 * @return the arguments
	 */
	Arguments signed(Arguments arguments, boolean dryRun) {
		boolean known = arguments.has(Argument.USER) || this.ways.loggedIn(this.options, this.environment);
		String user = this.environment.getOrDefault(USER, "");
		if (!known && !user.isBlank()) {
			arguments.with(Argument.USER.argument, user);
			known = true;
		}
		if (dryRun) {
			return arguments;
		}
		if (!known && this.console.personThere()) {
			arguments.given(Argument.USER.argument, answer("Who are you? (--user)"));
		}
		if (!arguments.has(Argument.BECAUSE) && this.console.personThere()) {
			arguments.given(Argument.BECAUSE.argument, answer("Reason, recorded in the audit log (--because):"));
		}
		if (!arguments.has(Argument.BECAUSE)) {
			throw ServiceException.usage(known ? "--because is required: the reason is recorded in the audit log."
					: "--because and --user are required: reason and user are recorded in the audit log."
							+ " RABBIT_RETRY_USER or a login sets the user, too.");
		}
		return arguments;
	}

	private @Nullable String answer(String question) {
		String answer = this.console.asks(question);
		return answer.isBlank() ? null : answer;
	}

	/**
	 * Prints an answer.
	 * @param answer the answer
	 * @param table how it looks as a table
	 */
	void print(JsonNode answer, BiFunction<JsonNode, Display, String> table) {
		print(answer, table, "None.");
	}

	/**
	 * Prints an answer.
	 * @param answer the answer
	 * @param table how it looks as a table
	 * @param none what is said if there is nothing in the table
	 */
	void print(JsonNode answer, BiFunction<JsonNode, Display, String> table, String none) {
		boolean json = this.options.output == GlobalOptions.Output.json;
		String text = json ? JsonOutput.text(answer)
				: table.apply(answer, new Display(this.console.shown(), this.options.wide));
		this.console.answer(text);
		if (text.isEmpty()) {
			this.console.note(none);
		}
		if (answer.hasNonNull("note")) {
			this.console.note("Note: " + answer.path("note").asString(""));
		}
	}

	/**
	 * How to get to a service.
	 */
	interface Ways {

		/**
		 * Opens the way to a service.
		 * @param options which one
		 * @param environment environment variables
		 * @return the service
		 */
		Service open(GlobalOptions options, Map<String, String> environment);

		/**
		 * Opens a configuration.
		 * @param options which one
		 * @param offline whether the broker is not needed
		 * @return its endpoints
		 */
		Service configured(GlobalOptions options, boolean offline);

		/**
		 * Whether the service knows who asks.
		 * @param options which way
		 * @param environment environment variables
		 * @return whether there are credentials
		 */
		boolean loggedIn(GlobalOptions options, Map<String, String> environment);

	}

	/**
	 * Lets time pass.
	 */
	interface Pause {

		/**
		 * Waits.
		 * @param millis how long
		 */
		void millis(long millis);

		/**
		 * What time it is.
		 * @return milliseconds from some time on
		 */
		long now();

	}

}
