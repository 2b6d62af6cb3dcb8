/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli;

import java.util.Map;
import java.util.stream.Collectors;

import io.github.rabbitretry.cli.output.TopologyTables;
import io.github.rabbitretry.cli.service.ExitCode;
import io.github.rabbitretry.cli.service.Request;
import picocli.CommandLine.Command;
import tools.jackson.databind.JsonNode;

/**
 * What waits for its next attempt.
 */
@Command(name = "waiting", footer = { "  rabbit-retry waiting", "  rabbit-retry waiting --output json" },
		description = { "Shows messages that wait for their next attempt, by type and delay.",
				"Includes the time at which they return, and the number of messages in parking lots. The numbers come"
						+ " from the broker, not from the ledger." })
final class WaitingCommand extends ServiceCommand {

	@Override
	ExitCode run() {
		JsonNode answer = ask(Request.read(Map.of(), "waitingretries"));
		session().print(answer, TopologyTables::waiting);
		JsonNode parked = answer.path("parked");
		JsonNode unknown = answer.path("unknown");
		if (!unknown.isEmpty()) {
			// unknown does not mean empty
			session().console()
				.note("Not known, since they are missing or the service's user may not read their depth: %s"
					.formatted(unknown.valueStream().map(JsonNode::asString).collect(Collectors.joining(", "))));
		}
		else if (parked.isEmpty() && !answer.has("unknown")) {
			// an older service does not say which
			session().console().note("No parking lot is known: there is none, or the user may not read its depth.");
		}
		else if (!parked.isEmpty() && parked.valueStream().allMatch((queue) -> queue.path("messages").asLong(0) == 0)) {
			session().console()
				.note("These parking lots are empty. If the service has a ledger, that has their messages: try parked groups");
		}
		return ExitCode.DONE;
	}

}
