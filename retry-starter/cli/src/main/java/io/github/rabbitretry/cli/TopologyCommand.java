/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli;

import io.github.rabbitretry.cli.output.TopologyTables;
import io.github.rabbitretry.cli.service.ExitCode;
import io.github.rabbitretry.cli.service.Request;
import io.github.rabbitretry.cli.service.Service;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/**
 * Which queues there are, and what is in them.
 */
@Command(name = "topology",
		footer = { "  rabbit-retry topology --type CreateOrder",
				"  rabbit-retry topology --type CreateOrder --diagram" },
		description = { "Shows the queues of each message type, with messages and consumers.",
				"Queues that types share are omitted while they are empty." })
final class TopologyCommand extends ServiceCommand {

	@Option(names = "--type", paramLabel = "TYPE", description = "only this message type")
	private @Nullable String type;

	@Option(names = "--diagram", description = "show a Mermaid diagram, for Markdown")
	private boolean diagram;

	@Override
	ExitCode run() {
		arguments().given("messageType", this.type);
		JsonNode answer;
		try (Service service = session().openTopology(false)) {
			answer = service.ask(Request.read(arguments().map(), "retrytopology"));
		}
		session().print(answer, this.diagram ? TopologyTables::diagrams : TopologyTables::queues);
		answer.path("unexamined")
			.valueStream()
			.map((what) -> what.asString(""))
			.filter((what) -> !this.diagram && what.contains("consumers"))
			.forEach((what) -> session().console().note("Not examined: " + what));
		int findings = answer.path("findings").size();
		if (findings > 0) {
			session().console().note("The doctor found %s: rabbit-retry doctor".formatted(findings));
		}
		return ExitCode.DONE;
	}

}
