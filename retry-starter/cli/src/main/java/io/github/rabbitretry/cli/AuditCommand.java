/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli;

import io.github.rabbitretry.cli.output.ReplayReports;
import io.github.rabbitretry.cli.service.ExitCode;
import io.github.rabbitretry.cli.service.Request;
import picocli.CommandLine.Command;
import tools.jackson.databind.JsonNode;

/**
 * Who did what.
 */
@Command(name = "audit",
		footer = { "  rabbit-retry audit --act DISCARD --from 1d",
				"  rabbit-retry audit --replay-id replay-20260701-17 --output json" },
		description = "Shows who did what and why, newest first.")
final class AuditCommand extends ServiceCommand {

	@Override
	ExitCode run() {
		JsonNode answer = ask(Request.read(arguments().map(), "replays", "audit"));
		session().print(answer, ReplayReports::audit);
		if (answer.hasNonNull("next")) {
			session().console().note("There may be more: --before " + answer.path("next").asString());
		}
		return ExitCode.DONE;
	}

}
