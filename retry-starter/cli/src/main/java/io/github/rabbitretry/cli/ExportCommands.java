/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli;

import java.util.function.Function;
import java.util.stream.Collectors;

import io.github.rabbitretry.cli.output.JsonOutput;
import io.github.rabbitretry.cli.service.ExitCode;
import io.github.rabbitretry.cli.service.Request;
import io.github.rabbitretry.cli.service.Service;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import tools.jackson.databind.JsonNode;

/**
 * What the broker has to have, for operators to import or to type. Neither a broker nor a
 * database is asked.
 */
@Command(name = "export",
		footer = { "  rabbit-retry export definitions --config application.yml > definitions.json",
				"  rabbit-retry export permissions --config application.yml" },
		description = { "Exports what message policies need on the broker: definitions, permissions.",
				"With --config, neither the service nor its broker needs to be running." })
final class ExportCommands {

	static CommandLine line(Session session) {
		return new CommandLine(new ExportCommands()).addSubcommand(new Definitions(session).with(Argument.Kind.EXPORT))
			.addSubcommand(new Permissions(session).with(Argument.Kind.EXPORT, Argument.Kind.PERMISSIONS));
	}

	/** What all have in common. */
	abstract static class Export extends ServiceCommand {

		Export(Session session) {
			super(session);
		}

		final ExitCode export(String what, Function<JsonNode, String> text) {
			boolean json = session().options().output == GlobalOptions.Output.json;
			try (Service service = session().openTopology(true)) {
				JsonNode answer = service.ask(Request.read(arguments().map(), "retryexport", what));
				session().console().answer(json ? JsonOutput.text(answer) : text.apply(answer));
			}
			return ExitCode.DONE;
		}

		final ExitCode commands(String what) {
			return export(what,
					(answer) -> answer.path("commands")
						.valueStream()
						.map((line) -> line.asString() + '\n')
						.collect(Collectors.joining()));
		}

	}

	@Command(name = "definitions",
			footer = { "  rabbit-retry export definitions --config application.yml > definitions.json",
					"  rabbitmqctl import_definitions definitions.json" },
			description = {
					"Prints exchanges, queues and bindings of one virtual host, as JSON that RabbitMQ can import." })
	static final class Definitions extends Export {

		Definitions(Session session) {
			super(session);
		}

		@Override
		ExitCode run() {
			return export("definitions", JsonOutput::text);
		}

	}

	@Command(name = "permissions",
			footer = { "  rabbit-retry export permissions --config application.yml",
					"  rabbit-retry export permissions --roles worker --writes order.events" },
			description = { "Prints the minimal permissions of each role, as commands.",
					"They create the users, and ask for passwords." })
	static final class Permissions extends Export {

		Permissions(Session session) {
			super(session);
		}

		@Override
		ExitCode run() {
			return commands("permissions");
		}

	}

}
