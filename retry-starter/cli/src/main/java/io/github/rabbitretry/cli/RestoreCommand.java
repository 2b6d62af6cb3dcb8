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
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/**
 * Parks again what was discarded.
 */
@Command(name = "restore", sortOptions = false, abbreviateSynopsis = true, footerHeading = "%nExamples:%n",
		footer = { "  rabbit-retry parked restore --discard 17 --because WRONG_FILTER",
				"  rabbit-retry parked restore 4711 --because WRONG_MESSAGE" },
		description = "Parks discarded messages again, until the ledger's retention deletes them.")
final class RestoreCommand extends ServiceCommand {

	@Parameters(arity = "0..*", paramLabel = "ID",
			description = "ids of discarded messages, as 'parked list --state DISCARDED' shows them")
	private List<Long> ids = List.of();

	@Option(names = "--discard", paramLabel = "AUDIT",
			description = "what this discard discarded: the number that it printed, and that 'audit' shows")
	private @Nullable String discard;

	@Option(names = "--all", description = "everything that is discarded is meant")
	private boolean all;

	@Option(names = "--dry-run", description = "only tell how many would be restored")
	private boolean dryRun;

	@Mixin
	private final Confirmation confirmation = new Confirmation();

	private RestoreCommand(Session session) {
		super(session);
	}

	static CommandLine line(Session session) {
		return new RestoreCommand(session).with(Argument.Kind.FILTER, Argument.Kind.MAXIMUM, Argument.Kind.ACT);
	}

	@Override
	ExitCode run() {
		Map<String, String> request = new TreeMap<>(
				signed().ids(this.ids).given("discard", this.discard).with("all", this.all).map());
		boolean named = !this.ids.isEmpty() || this.discard != null;
		try (Service service = session().open()) {
			if (!this.dryRun && !named && this.confirmation.wanted(session())) {
				JsonNode tried = restore(service, request, true);
				long meant = tried.path("restored").asLong(0);
				if (meant > 0 && !Confirmation.given(session(), tried.path("preview"), false,
						"Park %d messages again?".formatted(meant))) {
					session().console().note("Nothing is restored.");
					return ExitCode.INTERRUPTED;
				}
				request.putIfAbsent("expect", tried.path("preview").path("token").asString(""));
			}
			return print(restore(service, request, this.dryRun));
		}
	}

	private static JsonNode restore(Service service, Map<String, String> request, boolean dryRun) {
		Map<String, String> arguments = new TreeMap<>(request);
		if (dryRun) {
			arguments.put("dryRun", "true");
		}
		return service.ask(Request.write(arguments, "parkinglot", "restore"));
	}

	/** Who names messages wants those. */
	private ExitCode print(JsonNode answer) {
		session().print(answer, ParkedTables::restored);
		long missing = this.ids.stream().distinct().count() - answer.path("restored").asLong(0);
		if (missing > 0) {
			session().console().note("%d of them are not discarded, or do not match.".formatted(missing));
			return ExitCode.NOT_FOUND;
		}
		return ExitCode.DONE;
	}

}
