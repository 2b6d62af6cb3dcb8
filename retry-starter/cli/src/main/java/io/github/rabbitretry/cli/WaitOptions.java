/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli;

import io.github.rabbitretry.cli.output.ReplayReports;
import io.github.rabbitretry.cli.service.ExitCode;
import io.github.rabbitretry.cli.service.Service;
import io.github.rabbitretry.cli.service.ServiceException;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/**
 * Whether to wait for the end of a replay.
 */
final class WaitOptions {

	@Option(names = "--no-wait", order = 50, description = "do not follow the replay")
	private boolean noWait;

	@Mixin
	private final SettleOption settle = new SettleOption();

	/**
	 * Follows a replay, unless told not to wait, and prints it.
	 * @param session what to work with
	 * @param service where the replay is
	 * @param begun the replay
	 * @return how the command ends
	 */
	ExitCode end(Session session, Service service, JsonNode begun) {
		String id = begun.path("replay").path("id").asString("");
		if (id.isEmpty()) {
			throw new ServiceException(ExitCode.UNAVAILABLE, "The response contains no replay id.");
		}
		session.console().note("Replay %1$s continues in the service. To follow it: jobs follow %1$s".formatted(id));
		if (this.noWait) {
			session.print(begun, ReplayReports::job);
			return ExitCode.DONE;
		}
		return this.settle.follow(session, service, id);
	}

	/**
	 * Following a replay to its end.
	 */
	static final class SettleOption {

		@Option(names = "--settle", paramLabel = "SECONDS", order = 51,
				description = "how long to wait for outcomes at the end; default: 5")
		private int seconds = 5;

		ExitCode follow(Session session, Service service, String id) {
			JsonNode job = new Follow(session, service, id, this.seconds).toTheEnd();
			session.print(job, ReplayReports::job);
			return Follow.verdict(job, session.console());
		}

	}

}
