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
import io.github.rabbitretry.cli.service.ServiceException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/**
 * Replays as jobs.
 */
final class JobsCommands {

	static final List<String> NAMES = List.of("show", "items", "follow", "pause", "resume", "abort", "restore", "rate");

	private static final String REPLAYS = "replays";

	private JobsCommands() {
	}

	static CommandLine command(String name, Session session) {
		return switch (name) {
			case "show" -> new Show(session).with();
			case "items" -> new Items(session).with();
			case "follow" -> new Follower(session).with();
			case "pause" -> new Pause(session).with(Argument.Kind.ACT);
			case "resume" -> new Resume(session).with(Argument.Kind.ACT);
			case "abort" -> new Abort(session).with(Argument.Kind.ACT);
			case "rate" -> new Rate(session).with(Argument.Kind.ACT);
			default -> new Restore(session).with(Argument.Kind.ACT);
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

	/**
	 * A command about one replay.
	 */
	abstract static class OneJob extends ServiceCommand {

		@Parameters(arity = "0..1", paramLabel = "REPLAY", description = "its id, as replay-20260701-17")
		private @Nullable String id;

		@Option(names = "--latest", description = "the one that was started last")
		private boolean latest;

		OneJob(Session session) {
			super(session);
		}

		@Override
		final ExitCode run() {
			String known = (this.id != null) ? replay(this.id) : null;
			if ((known != null) == this.latest) {
				throw new ServiceException(ExitCode.USAGE, "Which replay? Give its id or --latest.");
			}
			prepare();
			try (Service service = open()) {
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

		Service open() {
			return session().open();
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
	abstract static class ChangeOfJob extends OneJob {

		private final String change;

		ChangeOfJob(Session session, String change) {
			super(session);
			this.change = change;
		}

		@Override
		void prepare() {
			signed();
		}

		@Override
		ExitCode run(Service service, String id) {
			return print(change(service, id));
		}

		final JsonNode change(Service service, String id) {
			return service.ask(Request.write(arguments().map(), REPLAYS, id, this.change));
		}

	}

	@Command(name = "show", sortOptions = false, abbreviateSynopsis = true, footerHeading = "%nExamples:%n",
			footer = { "  rabbit-retry jobs show replay-20260701-17", "  rabbit-retry jobs show --latest --utc" },
			description = "Shows one: where it stands, what became of its messages.")
	static final class Show extends OneJob {

		Show(Session session) {
			super(session);
		}

		@Override
		ExitCode run(Service service, String id) {
			return print(service.ask(Request.read(Map.of(), REPLAYS, id)));
		}

	}

	@Command(name = "items", sortOptions = false, abbreviateSynopsis = true, footerHeading = "%nExamples:%n",
			footer = { "  rabbit-retry jobs items --latest --state FAILED" },
			description = "What became of each message of one.")
	static final class Items extends OneJob {

		@Option(names = "--state", paramLabel = "STATE",
				description = "SELECTED, CLAIMED, PUBLISHED, SUCCEEDED, PARKED_AGAIN, DISCARDED, SKIPPED, FAILED, UNCERTAIN or RESTORED")
		private @Nullable String state;

		@Option(names = "--after", paramLabel = "PLACE", description = "messages after this place")
		private @Nullable String after;

		@Option(names = "--size", paramLabel = "N", description = "messages of a page, at most 1000")
		private @Nullable String size;

		Items(Session session) {
			super(session);
		}

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

	@Command(name = "follow", sortOptions = false, abbreviateSynopsis = true, footerHeading = "%nExamples:%n",
			footer = { "  rabbit-retry jobs follow --latest",
					"  rabbit-retry jobs follow replay-20260701-17 --config application.yml" },
			description = { "Follows one to its end.", "Without a service, this process works on it." })
	static final class Follower extends OneJob {

		@Mixin
		private final WaitOptions.SettleOption settle = new WaitOptions.SettleOption();

		Follower(Session session) {
			super(session);
		}

		@Override
		Service open() {
			return session().openToWork();
		}

		@Override
		ExitCode run(Service service, String id) {
			return this.settle.follow(session(), service, id);
		}

	}

	@Command(name = "pause", sortOptions = false, abbreviateSynopsis = true, footerHeading = "%nExamples:%n",
			footer = { "  rabbit-retry jobs pause replay-20260701-17 --because GATEWAY_SLOW" },
			description = "Pauses one.")
	static final class Pause extends ChangeOfJob {

		Pause(Session session) {
			super(session, "pause");
		}

	}

	@Command(name = "resume", sortOptions = false, abbreviateSynopsis = true, footerHeading = "%nExamples:%n",
			footer = { "  rabbit-retry jobs resume replay-20260701-17 --because GATEWAY_IS_BACK" },
			description = "Has a paused one go on, and follows it to its end.")
	static final class Resume extends ChangeOfJob {

		@Option(names = "--without-canary", description = "do not wait for the canary's outcome any more")
		private boolean withoutCanary;

		@Mixin
		private final WaitOptions waiting = new WaitOptions();

		Resume(Session session) {
			super(session, "resume");
		}

		@Override
		Service open() {
			return this.waiting.open(session());
		}

		@Override
		ExitCode run(Service service, String id) {
			arguments().with("withoutCanary", this.withoutCanary);
			return this.waiting.end(session(), service, change(service, id));
		}

	}

	@Command(name = "abort", sortOptions = false, abbreviateSynopsis = true, footerHeading = "%nExamples:%n",
			footer = { "  rabbit-retry jobs abort replay-20260701-17 --because WRONG_FILTER" },
			description = "Ends one; what was not published stays parked.")
	static final class Abort extends ChangeOfJob {

		Abort(Session session) {
			super(session, "abort");
		}

	}

	@Command(name = "restore", sortOptions = false, abbreviateSynopsis = true, footerHeading = "%nExamples:%n",
			footer = { "  rabbit-retry jobs restore replay-20260701-17 --because NOT_HANDLED" },
			description = { "Parks again what one that has ended perhaps published.",
					"Make sure before that it was not handled." })
	static final class Restore extends ChangeOfJob {

		Restore(Session session) {
			super(session, "restore");
		}

	}

	@Command(name = "rate", sortOptions = false, abbreviateSynopsis = true, footerHeading = "%nExamples:%n",
			footer = { "  rabbit-retry jobs rate replay-20260701-17 --rate 200 --because ROOM",
					"  rabbit-retry jobs rate --latest --rate unlimited --because NIGHT" },
			description = "Has one that has not ended go on at another rate.")
	static final class Rate extends ChangeOfJob {

		@Option(names = "--rate", paramLabel = "N", required = true,
				description = "messages per second, or 'unlimited'")
		private String rate = "";

		@Option(names = "--ramp", paramLabel = "TIME",
				description = "how long to grow to that rate; default is at once")
		private @Nullable String ramp;

		Rate(Session session) {
			super(session, "rate");
		}

		@Override
		void prepare() {
			signed().given("rate", this.rate).given("ramp", this.ramp);
		}

	}

}
