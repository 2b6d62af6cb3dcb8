/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli;

import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.github.rabbitretry.cli.output.ReplayReports;
import io.github.rabbitretry.cli.service.ExitCode;
import io.github.rabbitretry.cli.service.Request;
import io.github.rabbitretry.cli.service.Service;
import io.github.rabbitretry.cli.service.ServiceException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/**
 * Replays as jobs: listed, shown, followed and changed.
 */
final class JobsCommands {

	private static final String REPLAYS = "replays";

	private JobsCommands() {
	}

	static CommandLine line(Session session) {
		CommandLine jobs = new Listing().line(session, Argument.Kind.JOBS);
		jobs.addSubcommand(new Show().line(session));
		jobs.addSubcommand(new Items().line(session, Argument.Kind.ITEMS));
		jobs.addSubcommand(new Follower().line(session));
		List.of(new Pause(), new Resume(), new Abort(), new Restore(), new Rate())
			.forEach((change) -> jobs.addSubcommand(change.line(session, Argument.Kind.ACT)));
		return jobs;
	}

	/**
	 * All of them.
	 */
	@Command(name = "jobs", footer = { "  rabbit-retry jobs --state RUNNING", "  rabbit-retry jobs show --latest" },
			description = "Shows all replays, newest first, or one.")
	static final class Listing extends ServiceCommand {

		@Override
		ExitCode run() {
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

		@Override
		ExitCode run(Service service, String id) {
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

	/**
	 * A command about one replay.
	 */
	abstract static class OneJobCommand extends ServiceCommand {

		@Parameters(arity = "0..1", paramLabel = "REPLAY", description = "id of the replay, such as replay-20260701-17")
		private @Nullable String id;

		@Option(names = "--latest", description = "the replay that was started last")
		private boolean latest;

		@Override
		final ExitCode run() {
			String known = (this.id != null) ? replay(this.id) : null;
			if ((known != null) == this.latest) {
				throw ServiceException.usage("Which replay? Give its id or --latest.");
			}
			prepare();
			try (Service service = session().open()) {
				return run(service, (known != null) ? known : latest(service));
			}
		}

		private static String latest(Service service) {
			return service.ask(Request.read(Map.of("size", "1"), REPLAYS))
				.path("replays")
				.path(0)
				.path("replay")
				.path("id")
				.asStringOpt()
				.orElseThrow(() -> new ServiceException(ExitCode.NOT_FOUND, "There is no replay yet."));
		}

		/** What is checked before anything is asked. */
		void prepare() {
			// nothing is needed to look
		}

		abstract ExitCode run(Service service, String id);

		final ExitCode print(JsonNode job) {
			session().print(job, ReplayReports::job);
			return ExitCode.DONE;
		}

	}

	/**
	 * A command that changes one replay, for which it has to be said who does it and why.
	 */
	abstract static class ChangeOfJob extends OneJobCommand {

		@Spec
		private @Nullable CommandSpec spec;

		@Override
		void prepare() {
			session().signed(arguments(), false);
		}

		@Override
		ExitCode run(Service service, String id) {
			return print(change(service, id));
		}

		final JsonNode change(Service service, String id) {
			return service.ask(Request.write(arguments().map(), REPLAYS, id, Objects.requireNonNull(this.spec).name()));
		}

	}

	@Command(name = "pause", footer = { "  rabbit-retry jobs pause replay-20260701-17 --because GATEWAY_SLOW" },
			description = "Pauses a replay.")
	static final class Pause extends ChangeOfJob {

	}

	@Command(name = "resume", footer = { "  rabbit-retry jobs resume replay-20260701-17 --because GATEWAY_IS_BACK" },
			description = "Resumes a paused replay, and follows it to its end.")
	static final class Resume extends ChangeOfJob {

		@Option(names = "--without-canary", description = "do not wait for the canary's outcome any longer")
		private boolean withoutCanary;

		@Mixin
		private final WaitOptions waiting = new WaitOptions();

		@Override
		ExitCode run(Service service, String id) {
			arguments().with("withoutCanary", this.withoutCanary);
			return this.waiting.end(session(), service, change(service, id));
		}

	}

	@Command(name = "abort", footer = { "  rabbit-retry jobs abort replay-20260701-17 --because WRONG_FILTER" },
			description = "Aborts a replay; messages that were not published stay parked.")
	static final class Abort extends ChangeOfJob {

	}

	@Command(name = "restore", footer = { "  rabbit-retry jobs restore replay-20260701-17 --because NOT_HANDLED" },
			description = { "Parks messages again that a replay which has ended may have published.",
					"Make sure first that they were not handled." })
	static final class Restore extends ChangeOfJob {

	}

	@Command(name = "rate",
			footer = { "  rabbit-retry jobs rate replay-20260701-17 --rate 200 --because ROOM",
					"  rabbit-retry jobs rate --latest --rate unlimited --because NIGHT" },
			description = "Changes the rate of a replay that has not ended.")
	static final class Rate extends ChangeOfJob {

		@Option(names = "--rate", paramLabel = "N", required = true,
				description = "messages per second, or 'unlimited'")
		private String rate = "";

		@Option(names = "--ramp", paramLabel = "TIME",
				description = "time in which to reach that rate; default: immediately")
		private @Nullable String ramp;

		@Override
		void prepare() {
			session().signed(arguments(), false).given("rate", this.rate).given("ramp", this.ramp);
		}

	}

}
