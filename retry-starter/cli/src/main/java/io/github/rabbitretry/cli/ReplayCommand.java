/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.github.rabbitretry.cli.output.ReplayReports;
import io.github.rabbitretry.cli.service.ExitCode;
import io.github.rabbitretry.cli.service.Request;
import io.github.rabbitretry.cli.service.Service;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/**
 * Replays parked messages.
 */
@Command(name = "replay",
		footer = { "  rabbit-retry replay --cause 4be1f0c2a9d7 --because FIXED --dry-run",
				"  rabbit-retry replay --cause 4be1f0c2a9d7 --because FIXED --expect 12",
				"  rabbit-retry replay 17 18 --because HANDLER_FIXED" },
		description = { "Replays parked messages by filter or ids, and follows the replay to its end.",
				"Start with --dry-run. Asks for confirmation on a terminal, unless there are ids, but not in a script." })
final class ReplayCommand extends ServiceCommand {

	@Mixin
	private final MessageSelection selection = new MessageSelection();

	@Option(names = "--take-reserved",
			description = "also take messages that another replay has selected; only one of the two publishes each message")
	private boolean takeReserved;

	@Option(names = "--move",
			description = "move the messages to --target; they are no longer parked once the broker has them there")
	private boolean move;

	@Mixin
	private final WaitOptions waiting = new WaitOptions();

	@Override
	ExitCode run() {
		for (Argument other : List.of(Argument.REST_OF, Argument.UNCERTAIN_OF)) {
			if (arguments().has(other)) {
				replay(String.valueOf(arguments().map().get(other.argument)));
			}
		}
		this.selection.addTo(session().signed(arguments(), this.selection.dryRun()))
			.with("takeReserved", this.takeReserved)
			.with("move", this.move);
		return this.selection.dryRun() ? tryIt() : start();
	}

	private ExitCode tryIt() {
		JsonNode answer = ask(Request.read(arguments().map(), "replays", "dry-run"));
		session().print(answer, ReplayReports::dryRun);
		return ExitCode.DONE;
	}

	private ExitCode start() {
		try (Service service = session().open()) {
			Map<String, String> request = new TreeMap<>(arguments().map());
			if (!this.selection.named() && this.selection.needsConfirmation(session())
					&& !confirmed(service, request)) {
				session().console().note("Nothing is replayed.");
				return ExitCode.INTERRUPTED;
			}
			JsonNode answer = service.ask(Request.write(request, "replays"));
			ExitCode code = this.waiting.end(session(), service, answer);
			return (missing(answer) && code == ExitCode.DONE) ? ExitCode.NOT_FOUND : code;
		}
	}

	private boolean missing(JsonNode begun) {
		long selected = begun.path("replay").path("counts").path("selected").asLong(0);
		long missing = this.selection.missing(selected);
		if (missing > 0) {
			session().console()
				.note("%s of them are not replayed: they are not parked, can't be replayed, are selected by another replay,"
					.formatted(missing) + " or do not match.");
		}
		return missing > 0;
	}

	/**
	 * What is confirmed is what was seen. Why nothing can be replayed, the service says.
	 */
	private boolean confirmed(Service service, Map<String, String> request) {
		JsonNode tried = service.ask(Request.read(request, "replays", "dry-run")).path("dryRun");
		JsonNode preview = tried.path("preview");
		long wouldReplay = tried.path("wouldReplay").asLong(0);
		if (preview.hasNonNull("token")) {
			request.putIfAbsent("expect", preview.path("token").asString());
		}
		return wouldReplay == 0 || MessageSelection.confirmed(session(), preview, this.takeReserved,
				this.move ? "Move %s messages to %s?".formatted(wouldReplay, request.get(Argument.TARGET.argument))
						: "Replay %s messages?".formatted(wouldReplay));
	}

}
