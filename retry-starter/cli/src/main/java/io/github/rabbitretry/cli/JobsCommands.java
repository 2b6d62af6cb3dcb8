/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli;

import java.util.List;
import java.util.Map;

import io.github.rabbitretry.cli.output.ReplayReports;
import io.github.rabbitretry.cli.service.ExitCode;
import io.github.rabbitretry.cli.service.Request;
import io.github.rabbitretry.cli.service.Service;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/**
 * Replays as jobs.
 */
final class JobsCommands {

	static final String REPLAYS = "replays";

	private JobsCommands() {
	}

	static CommandLine line(Session session) {
		CommandLine jobs = new Listing().line(session);
		List.of(new Show(), new Items(), new Follower()).forEach((view) -> jobs.addSubcommand(view.line(session)));
		JobChanges.all().forEach((change) -> jobs.addSubcommand(change.line(session, Argument.Kind.ACT)));
		return jobs;
	}

	/**
	 * All of them.
	 */
	@Command(name = "jobs", footer = { "  rabbit-retry jobs --state RUNNING", "  rabbit-retry jobs show --latest" },
			description = "Shows all replays, newest first, or one.")
	static final class Listing extends ServiceCommand {

		@Option(names = "--state", paramLabel = "STATE",
				description = "CANARY, RUNNING, PAUSED, STOPPED, ABORTED, FINISHED or INCOMPLETE")
		private @Nullable String state;

		@Option(names = "--size", paramLabel = "N", description = "number of replays, at most 1000")
		private @Nullable String size;

		@Override
		ExitCode run() {
			arguments().given("state", this.state).given("size", this.size);
			session().print(ask(Request.read(arguments().map(), REPLAYS)), ReplayReports::jobs);
			return ExitCode.DONE;
		}

	}

	@Command(name = "show",
			footer = { "  rabbit-retry jobs show replay-20260701-17", "  rabbit-retry jobs show --latest" },
			description = "Shows a replay: its state and the outcomes of its messages.")
	static final class Show extends OneJobCommand {

		@Override
		ExitCode run(Service service, String id) {
			return print(service.ask(Request.read(Map.of(), REPLAYS, id)));
		}

	}

	@Command(name = "items", footer = { "  rabbit-retry jobs items --latest --state FAILED" },
			description = "Shows the outcome of each message of a replay.")
	static final class Items extends OneJobCommand {

		@Option(names = "--state", paramLabel = "STATE",
				description = "SELECTED, CLAIMED, PUBLISHED, SUCCEEDED, PARKED_AGAIN, DISCARDED, SKIPPED, FAILED, UNCERTAIN or RESTORED")
		private @Nullable String state;

		@Option(names = "--after", paramLabel = "PLACE", description = "messages after this position")
		private @Nullable String after;

		@Option(names = "--size", paramLabel = "N", description = "messages per page, at most 1000")
		private @Nullable String size;

		@Override
		ExitCode run(Service service, String id) {
			arguments().given("state", this.state).given("after", this.after).given("size", this.size);
			JsonNode answer = service.ask(Request.read(arguments().map(), REPLAYS, id, "messages"));
			session().print(answer, ReplayReports::items);
			if (answer.hasNonNull("next")) {
				session().console().note("There may be more: --after " + answer.path("next").asString());
			}
			return ExitCode.DONE;
		}

	}

	@Command(name = "follow",
			footer = { "  rabbit-retry jobs follow --latest", "  rabbit-retry jobs follow replay-20260701-17" },
			description = "Follows a replay to its end.")
	static final class Follower extends OneJobCommand {

		@Mixin
		private final WaitOptions.SettleOption settle = new WaitOptions.SettleOption();

		@Override
		ExitCode run(Service service, String id) {
			return this.settle.follow(session(), service, id);
		}

	}

}
