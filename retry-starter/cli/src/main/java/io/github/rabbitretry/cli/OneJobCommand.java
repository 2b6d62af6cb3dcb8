/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli;

import java.util.Map;

import io.github.rabbitretry.cli.output.ReplayReports;
import io.github.rabbitretry.cli.service.ExitCode;
import io.github.rabbitretry.cli.service.Request;
import io.github.rabbitretry.cli.service.Service;
import io.github.rabbitretry.cli.service.ServiceException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/**
 * A command about one replay.
 */
abstract class OneJobCommand extends ServiceCommand {

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
		return service.ask(Request.read(Map.of("size", "1"), JobsCommands.REPLAYS))
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
