/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli;

import java.util.Objects;
import java.util.concurrent.Callable;

import io.github.rabbitretry.cli.service.ExitCode;
import io.github.rabbitretry.cli.service.Request;
import io.github.rabbitretry.cli.service.Service;
import io.github.rabbitretry.cli.service.ServiceException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;

/**
 * A command that asks the service.
 */
abstract class ServiceCommand implements Callable<Integer> {

	private final Arguments arguments = new Arguments();

	private @Nullable Session session;

	/**
	 * The command with its options.
	 * @param session what it works with
	 * @param kinds options that are arguments of the request
	 * @return a line that can be parsed
	 */
	final CommandLine line(Session session, Argument.Kind... kinds) {
		this.session = session;
		CommandLine line = new CommandLine(this);
		this.arguments.addTo(line, kinds);
		return line;
	}

	@Override
	public final Integer call() {
		return run().number();
	}

	abstract ExitCode run();

	final Session session() {
		return Objects.requireNonNull(this.session);
	}

	final Arguments arguments() {
		return this.arguments;
	}

	/** One request, one answer. */
	final JsonNode ask(Request request) {
		try (Service service = session().open()) {
			return service.ask(request);
		}
	}

	/** The id of a replay ends up in a path, where other words have a meaning. */
	static String replay(String id) {
		if (!id.matches("[A-Za-z]+-[0-9A-Za-z-]{1,200}") || id.equals("dry-run")) {
			throw ServiceException.usage("'%s' is not a replay id such as replay-20260701-17.".formatted(id));
		}
		return id;
	}

}
