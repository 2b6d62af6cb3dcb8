/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli;

import io.github.rabbitretry.cli.output.ReplayReports;
import io.github.rabbitretry.cli.service.ExitCode;
import io.github.rabbitretry.cli.service.Request;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/**
 * Who did what.
 */
@Command(name = "audit",
		footer = { "  rabbit-retry audit --size 20",
				"  rabbit-retry audit --replay-id replay-20260701-17 --output json" },
		description = "Who did what and why, the last act first.")
final class AuditCommand extends ServiceCommand {

	@Option(names = "--replay-id", paramLabel = "ID", description = "only what concerns this replay")
	private @Nullable String replayId;

	@Option(names = "--before", paramLabel = "ENTRY", description = "entries before this one")
	private @Nullable String before;

	@Option(names = "--size", paramLabel = "N", description = "entries of a page, at most 1000")
	private @Nullable String size;

	private AuditCommand(Session session) {
		super(session);
	}

	static CommandLine line(Session session) {
		return new AuditCommand(session).with();
	}

	@Override
	ExitCode run() {
		arguments().given("replayId", this.replayId).given("before", this.before).given("size", this.size);
		JsonNode answer = ask(Request.read(arguments().map(), "replays", "audit"));
		session().print(answer, ReplayReports::audit);
		if (answer.hasNonNull("next")) {
			session().console().note("There may be more: --before " + answer.path("next").asString());
		}
		return ExitCode.DONE;
	}

}
