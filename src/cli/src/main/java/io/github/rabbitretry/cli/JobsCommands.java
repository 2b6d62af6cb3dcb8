/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli;

import java.util.List;
import java.util.Map;

import io.github.rabbitretry.cli.output.ReplayTables;
import io.github.rabbitretry.cli.service.ExitCode;
import io.github.rabbitretry.cli.service.Request;
import io.github.rabbitretry.cli.service.Service;
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

	private static final String REPLAYS = "replays";

	private JobsCommands() {
	}

	static List<CommandLine> all(Session session) {
		return List.of(new Show(session).with(), new Items(session).with(), new Follower(session).with(),
				new Pause(session).with(Argument.Kind.ACT), new Resume(session).with(Argument.Kind.ACT),
				new Abort(session).with(Argument.Kind.ACT), new Restore(session).with(Argument.Kind.ACT));
	}

	/**
	 * All of them.
	 */
	@Command(name = "jobs", sortOptions = false, abbreviateSynopsis = true,
			description = "Replays: all of them, the last one first, or one.")
	static final class Listing extends ServiceCommand {

		@Option(names = "--state", paramLabel = "STATE",
				description = "CANARY, RUNNING, PAUSED, STOPPED, ABORTED or FINISHED")
		private @Nullable String state;

		@Option(names = "--size", paramLabel = "N", description = "how many, at most 1000")
		private @Nullable String size;

		Listing(Session session) {
			super(session);
		}

		@Override
		ExitCode run() {
			arguments().given("state", this.state).given("size", this.size);
			session().print(ask(Request.read(arguments().map(), REPLAYS)),
					(jobs) -> ReplayTables.jobs(jobs, session().options().wide));
			return ExitCode.DONE;
		}

	}

	/**
	 * A command about one replay.
	 */
	abstract static class OneJob extends ServiceCommand {

		@Parameters(paramLabel = "REPLAY", description = "its id, as replay-20260701-17")
		private String id = "";

		OneJob(Session session) {
			super(session);
		}

		final String id() {
			return replay(this.id);
		}

		final Request change(String what) {
			return Request.write(signed().map(), REPLAYS, id(), what);
		}

		final ExitCode changed(JsonNode job) {
			session().print(job, ReplayTables::job);
			return ExitCode.DONE;
		}

	}

	@Command(name = "show", sortOptions = false, abbreviateSynopsis = true,
			description = "Shows one: where it stands, what became of its messages.")
	static final class Show extends OneJob {

		Show(Session session) {
			super(session);
		}

		@Override
		ExitCode run() {
			return changed(ask(Request.read(Map.of(), REPLAYS, id())));
		}

	}

	@Command(name = "items", sortOptions = false, abbreviateSynopsis = true,
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
		ExitCode run() {
			arguments().given("state", this.state).given("after", this.after).given("size", this.size);
			JsonNode answer = ask(Request.read(arguments().map(), REPLAYS, id(), "messages"));
			session().print(answer, (items) -> ReplayTables.items(items, session().options().wide));
			if (answer.hasNonNull("next")) {
				session().screen().note("There may be more: --after " + answer.path("next").asString());
			}
			return ExitCode.DONE;
		}

	}

	@Command(name = "follow", sortOptions = false, abbreviateSynopsis = true,
			description = { "Follows one to its end.", "Without a service, this process works on it." })
	static final class Follower extends OneJob {

		@Mixin
		private final WaitOptions.SettleOption settle = new WaitOptions.SettleOption();

		Follower(Session session) {
			super(session);
		}

		@Override
		ExitCode run() {
			String id = id();
			try (Service service = session().openToWork()) {
				return this.settle.follow(session(), service, id);
			}
		}

	}

	@Command(name = "pause", sortOptions = false, abbreviateSynopsis = true, description = "Pauses one.")
	static final class Pause extends OneJob {

		Pause(Session session) {
			super(session);
		}

		@Override
		ExitCode run() {
			return changed(ask(change("pause")));
		}

	}

	@Command(name = "resume", sortOptions = false, abbreviateSynopsis = true,
			description = "Has a paused one go on, and follows it to its end.")
	static final class Resume extends OneJob {

		@Option(names = "--without-canary", description = "do not wait for the canary's outcome any more")
		private boolean withoutCanary;

		@Mixin
		private final WaitOptions waiting = new WaitOptions();

		Resume(Session session) {
			super(session);
		}

		@Override
		ExitCode run() {
			arguments().with("withoutCanary", this.withoutCanary);
			Request request = change("resume");
			try (Service service = this.waiting.open(session())) {
				return this.waiting.end(session(), service, service.ask(request));
			}
		}

	}

	@Command(name = "abort", sortOptions = false, abbreviateSynopsis = true,
			description = "Ends one; what was not published stays parked.")
	static final class Abort extends OneJob {

		Abort(Session session) {
			super(session);
		}

		@Override
		ExitCode run() {
			return changed(ask(change("abort")));
		}

	}

	@Command(name = "restore", sortOptions = false, abbreviateSynopsis = true, description = {
			"Parks again what one that has ended perhaps published.", "Make sure before that it was not handled." })
	static final class Restore extends OneJob {

		Restore(Session session) {
			super(session);
		}

		@Override
		ExitCode run() {
			return changed(ask(change("restore")));
		}

	}

}
