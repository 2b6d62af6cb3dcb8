/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli;

import java.util.List;

import io.github.rabbitretry.cli.output.JsonOutput;
import io.github.rabbitretry.cli.service.ExitCode;
import io.github.rabbitretry.cli.service.Request;
import io.github.rabbitretry.cli.service.Service;
import io.github.rabbitretry.cli.service.ServiceException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/**
 * What the broker has to have, for operators to import or to type. Neither a broker nor a
 * database is asked.
 */
@Command(name = "export",
		footer = { "  rabbit-retry export definitions --config application.yml > definitions.json",
				"  rabbit-retry export permissions --config application.yml" },
		description = { "Exports what message policies need of the broker: definitions, policies, permissions.",
				"With --config neither the service nor its broker has to run." })
final class ExportCommands implements Runnable {

	static CommandLine line(Session session) {
		return new CommandLine(new ExportCommands()).addSubcommand(new Definitions(session).with())
			.addSubcommand(new Policies(session).with())
			.addSubcommand(new Permissions(session).with());
	}

	@Override
	public void run() {
		throw new ServiceException(ExitCode.USAGE,
				"Which of definitions, policies and permissions? Try: rabbit-retry export --help");
	}

	/** What all have in common. */
	abstract static class Export extends ServiceCommand {

		@Option(names = "--types", paramLabel = "TYPES", split = ",",
				description = "only these message types; default is all")
		private @Nullable List<String> types;

		@Option(names = "--virtual-host", paramLabel = "NAME",
				description = "for this virtual host; default is that of the configuration")
		private @Nullable String virtualHost;

		Export(Session session) {
			super(session);
		}

		final ExitCode export(String what, boolean commands) {
			list("types", this.types).given("virtualHost", this.virtualHost).with("commands", commands);
			try (Service service = session().openTopology(true)) {
				JsonNode answer = service.ask(Request.read(arguments().map(), "retryexport", what));
				session().console().answer(commands ? lines(answer) : JsonOutput.text(answer));
			}
			return ExitCode.DONE;
		}

		final boolean json() {
			return session().options().output == GlobalOptions.Output.json;
		}

		final Arguments list(String name, @Nullable List<String> values) {
			return arguments().given(name, (values != null) ? String.join(",", values) : null);
		}

		private static String lines(JsonNode answer) {
			StringBuilder lines = new StringBuilder();
			answer.path("commands").valueStream().forEach((line) -> lines.append(line.asString()).append('\n'));
			return lines.toString();
		}

	}

	@Command(name = "definitions",
			footer = { "  rabbit-retry export definitions --config application.yml > definitions.json",
					"  rabbitmqctl import_definitions definitions.json" },
			description = { "Prints exchanges, queues and bindings of one virtual host, as JSON that RabbitMQ imports.",
					"Policies are among them where queues are declared with minimal arguments." })
	static final class Definitions extends Export {

		@Option(names = "--policies", description = "with policies in any case")
		private boolean policies;

		Definitions(Session session) {
			super(session);
		}

		@Override
		ExitCode run() {
			arguments().with("policies", this.policies);
			return export("definitions", false);
		}

	}

	@Command(name = "policies",
			footer = { "  rabbit-retry export policies --config application.yml",
					"  rabbit-retry export policies --config application.yml --output json > policies.json" },
			description = { "Prints policies that give queues what arguments would, as commands or as JSON to import.",
					"For rabbit-retry.topology.arguments: minimal." })
	static final class Policies extends Export {

		@Option(names = "--priority", paramLabel = "N",
				description = "must be above that of other policies for these queues; default 10")
		private @Nullable String priority;

		Policies(Session session) {
			super(session);
		}

		@Override
		ExitCode run() {
			arguments().given("priority", this.priority);
			return export("policies", !json());
		}

	}

	@Command(name = "permissions",
			footer = { "  rabbit-retry export permissions --config application.yml",
					"  rabbit-retry export permissions --roles worker --writes order.events" },
			description = { "Prints the least permissions of each role, as commands or as JSON to import.",
					"Users are made by the commands only, which ask for passwords." })
	static final class Permissions extends Export {

		@Option(names = "--roles", paramLabel = "ROLES", split = ",",
				description = "of topology, worker, operator, monitor; default is all")
		private @Nullable List<String> roles;

		@Option(names = "--users", paramLabel = "PREFIX",
				description = "what users' names begin with; default is the application's name")
		private @Nullable String users;

		@Option(names = "--writes", paramLabel = "EXCHANGES", split = ",",
				description = "exchanges that the application's own code publishes to")
		private @Nullable List<String> writes;

		@Option(names = "--reads", paramLabel = "QUEUES", split = ",",
				description = "queues that its own code consumes, apart from those of message policies")
		private @Nullable List<String> reads;

		@Option(names = "--ledger", negatable = true,
				description = "whether the service has a ledger, which consumes parking lots; default is what it is configured for")
		private @Nullable Boolean ledger;

		Permissions(Session session) {
			super(session);
		}

		@Override
		ExitCode run() {
			list("roles", this.roles);
			list("writes", this.writes);
			list("reads", this.reads).given("users", this.users)
				.given("ledger", (this.ledger != null) ? this.ledger.toString() : null);
			return export("permissions", !json());
		}

	}

}
