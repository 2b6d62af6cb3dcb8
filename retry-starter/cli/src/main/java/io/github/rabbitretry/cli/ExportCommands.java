/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli;

import java.util.Objects;
import java.util.stream.Collectors;

import io.github.rabbitretry.cli.output.JsonOutput;
import io.github.rabbitretry.cli.service.ExitCode;
import io.github.rabbitretry.cli.service.Request;
import io.github.rabbitretry.cli.service.Service;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
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
		return new CommandLine(new ExportCommands())
			.addSubcommand(new Definitions().line(session, Argument.Kind.EXPORT))
			.addSubcommand(new Permissions().line(session, Argument.Kind.EXPORT, Argument.Kind.PERMISSIONS));
	}

	/** What all have in common. */
	abstract static class Export extends ServiceCommand {

		@Spec
		private @Nullable CommandSpec spec;

		@Override
		final ExitCode run() {
			boolean json = session().options().output == GlobalOptions.Output.json;
			try (Service service = session().openTopology(true)) {
				JsonNode answer = service
					.ask(Request.read(arguments().map(), "retryexport", Objects.requireNonNull(this.spec).name()));
				session().console().answer(json ? JsonOutput.text(answer) : text(answer));
			}
			return ExitCode.DONE;
		}

		String text(JsonNode answer) {
			return JsonOutput.text(answer);
		}

	}

	@Command(name = "definitions",
			footer = { "  rabbit-retry export definitions --config application.yml > definitions.json",
					"  rabbitmqctl import_definitions definitions.json" },
			description = {
					"Prints exchanges, queues and bindings of one virtual host, as JSON that RabbitMQ can import." })
	static final class Definitions extends Export {

	}

	@Command(name = "permissions",
			footer = { "  rabbit-retry export permissions --config application.yml",
					"  rabbit-retry export permissions --roles worker --writes order.events" },
			description = { "Prints the minimal permissions of each role, as commands.",
					"They create the users, and ask for passwords." })
	static final class Permissions extends Export {

		@Override
		String text(JsonNode answer) {
			return answer.path("commands")
				.valueStream()
				.map((line) -> line.asString() + '\n')
				.collect(Collectors.joining());
		}

	}

}
