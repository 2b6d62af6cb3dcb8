/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli;

import java.util.Map;

import io.github.rabbitretry.cli.output.TopologyTables;
import io.github.rabbitretry.cli.service.ExitCode;
import io.github.rabbitretry.cli.service.Request;
import io.github.rabbitretry.cli.service.Service;
import picocli.CommandLine.Command;
import tools.jackson.databind.JsonNode;

/**
 * What is not as it should be on the broker.
 */
@Command(name = "doctor",
		footer = { "  rabbit-retry doctor", "  rabbit-retry doctor --config application.yml --output json" },
		description = { "Checks the broker against the message policies, and prints commands that fix what is wrong.",
				"Checks queues, exchanges, bindings, policies, consumers and permissions. Changes nothing. The exit"
						+ " code is 1 if there are errors or warnings, or if not everything could be examined." })
final class DoctorCommand extends ServiceCommand {

	@Override
	ExitCode run() {
		JsonNode answer;
		try (Service service = session().openTopology(false)) {
			answer = service.ask(Request.read(Map.of(), "retrytopology"));
		}
		boolean all = answer.path("unexamined").isEmpty();
		session().print(answer, TopologyTables::findings,
				all ? "No findings." : "Nothing was found in what could be examined.");
		session().console().note("");
		session().console().note("Examined by %s.".formatted(answer.path("examinedBy").asString("")));
		answer.path("unexamined").forEach((what) -> session().console().note("Not examined: " + what.asString("")));
		boolean well = answer.path("findings")
			.valueStream()
			.allMatch((finding) -> finding.path("severity").asString("").equals("INFO"));
		return (well && all) ? ExitCode.DONE : ExitCode.NOT_WELL;
	}

}
