/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli;

import java.util.List;

import io.github.rabbitretry.cli.output.ReplayReports;
import io.github.rabbitretry.cli.service.ExitCode;
import io.github.rabbitretry.cli.service.Request;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/**
 * Replays as jobs.
 */
final class JobsCommands {

	static final List<String> NAMES = List.of("show", "items", "follow", "pause", "resume", "abort", "restore", "rate");

	static final String REPLAYS = "replays";

	private JobsCommands() {
	}

	static CommandLine command(String name, Session session) {
		return switch (name) {
			case "show" -> new JobViews.Show(session).with();
			case "items" -> new JobViews.Items(session).with();
			case "follow" -> new JobViews.Follower(session).with();
			case "pause" -> new JobChanges.Pause(session).with(Argument.Kind.ACT);
			case "resume" -> new JobChanges.Resume(session).with(Argument.Kind.ACT);
			case "abort" -> new JobChanges.Abort(session).with(Argument.Kind.ACT);
			case "rate" -> new JobChanges.Rate(session).with(Argument.Kind.ACT);
			default -> new JobChanges.Restore(session).with(Argument.Kind.ACT);
		};
	}

	/**
	 * All of them.
	 */
	@Command(name = "jobs", sortOptions = false, abbreviateSynopsis = true, footerHeading = "%nExamples:%n",
			footer = { "  rabbit-retry jobs --state RUNNING", "  rabbit-retry jobs show --latest" },
			description = "Replays: all of them, the last one first, or one.")
	static final class Listing extends ServiceCommand {

		@Option(names = "--state", paramLabel = "STATE",
				description = "CANARY, RUNNING, PAUSED, STOPPED, ABORTED, FINISHED or INCOMPLETE")
		private @Nullable String state;

		@Option(names = "--size", paramLabel = "N", description = "how many, at most 1000")
		private @Nullable String size;

		Listing(Session session) {
			super(session);
		}

		@Override
		ExitCode run() {
			arguments().given("state", this.state).given("size", this.size);
			JsonNode answer = ask(Request.read(arguments().map(), REPLAYS));
			session().print(answer, ReplayReports::jobs);
			// where there can be none, one who looks for a job is in the wrong place
			return answer.hasNonNull("note") ? ExitCode.NOT_FOUND : ExitCode.DONE;
		}

	}

}
