/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli;

import java.util.List;
import java.util.Objects;

import io.github.rabbitretry.cli.service.ExitCode;
import io.github.rabbitretry.cli.service.Request;
import io.github.rabbitretry.cli.service.Service;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/**
 * Commands that change one replay.
 */
final class JobChanges {

	private JobChanges() {
	}

	static List<ServiceCommand> all() {
		return List.of(new Pause(), new Resume(), new Abort(), new Restore(), new Rate());
	}

	/**
	 * A command that changes one replay, for which it has to be said who does it and why.
	 */
	abstract static class ChangeOfJob extends OneJobCommand {

		@Spec
		private @Nullable CommandSpec spec;

		@Override
		void prepare() {
			signed();
		}

		@Override
		ExitCode run(Service service, String id) {
			return print(change(service, id));
		}

		final JsonNode change(Service service, String id) {
			return service.ask(Request.write(arguments().map(), JobsCommands.REPLAYS, id,
					Objects.requireNonNull(this.spec).name()));
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
			signed().given("rate", this.rate).given("ramp", this.ramp);
		}

	}

}
