/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.github.rabbitretry.cli.output.ParkedTables;
import io.github.rabbitretry.cli.service.ExitCode;
import io.github.rabbitretry.cli.service.Request;
import io.github.rabbitretry.cli.service.Service;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/**
 * Discards parked messages.
 */
@Command(name = "discard", sortOptions = false, abbreviateSynopsis = true, footerHeading = "%nExamples:%n",
		footer = { "  rabbit-retry parked discard 17 18 --because OBSOLETE",
				"  rabbit-retry parked discard --reason QUOTE_EXPIRED --because OLD --dry-run",
				"  rabbit-retry parked discard --reason QUOTE_EXPIRED --because OLD --expect 12" },
		description = { "Discards messages by filter or ids.",
				"A person at a terminal is asked before; a script is not." })
final class DiscardCommand extends ServiceCommand {

	@Parameters(arity = "0..*", paramLabel = "ID", description = "ids of parked messages, as 'parked list' shows them")
	private List<Long> ids = List.of();

	@Option(names = "--all", description = "everything that is parked is meant")
	private boolean all;

	@Option(names = "--dry-run", description = "only tell how many would be discarded")
	private boolean dryRun;

	@Option(names = "--take-reserved", description = "take what a replay has selected too; it skips that then")
	private boolean takeReserved;

	@Mixin
	private final Confirmation confirmation = new Confirmation();

	private DiscardCommand(Session session) {
		super(session);
	}

	static CommandLine line(Session session) {
		return new DiscardCommand(session).with(Argument.Kind.FILTER, Argument.Kind.MAXIMUM, Argument.Kind.ACT);
	}

	@Override
	ExitCode run() {
		Map<String, String> request = new TreeMap<>(
				signed().ids(this.ids).with("all", this.all).with("takeReserved", this.takeReserved).map());
		try (Service service = session().open()) {
			if (this.dryRun) {
				return print(discard(service, request, true));
			}
			if (this.confirmation.wanted(session())) {
				JsonNode tried = discard(service, request, true);
				long meant = tried.path("discarded").asLong(0);
				if (meant == 0) {
					return print(tried);
				}
				if (!Confirmation.given(session(), tried.path("preview"), this.takeReserved,
						"Discard %d messages?".formatted(meant))) {
					session().console().note("Nothing is discarded.");
					return ExitCode.INTERRUPTED;
				}
				if (this.ids.isEmpty() && !request.containsKey("expect")) {
					request.put("expect", tried.path("preview").path("token").asString(""));
				}
			}
			return print(discard(service, request, false));
		}
	}

	private static JsonNode discard(Service service, Map<String, String> request, boolean dryRun) {
		Map<String, String> arguments = new TreeMap<>(request);
		if (dryRun) {
			arguments.put("dryRun", "true");
		}
		return service.ask(Request.write(arguments, "parkinglot", "discard"));
	}

	/** Who names messages wants those. */
	private ExitCode print(JsonNode answer) {
		session().print(answer, ParkedTables::discarded);
		long missing = this.ids.stream().distinct().count() - answer.path("discarded").asLong(0);
		if (missing > 0) {
			session().console().note("%d of them are not parked, or do not match.".formatted(missing));
			return ExitCode.NOT_FOUND;
		}
		return ExitCode.DONE;
	}

}
