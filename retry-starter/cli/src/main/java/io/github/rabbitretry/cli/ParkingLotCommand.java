/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;

import io.github.rabbitretry.cli.output.Display;
import io.github.rabbitretry.cli.output.ParkedTables;
import io.github.rabbitretry.cli.service.ExitCode;
import io.github.rabbitretry.cli.service.Request;
import io.github.rabbitretry.cli.service.Service;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/**
 * A command that changes the state of selected messages.
 */
abstract class ParkingLotCommand extends ServiceCommand {

	@Mixin
	private final MessageSelection selection = new MessageSelection();

	private final Change change;

	ParkingLotCommand(Change change) {
		this.change = change;
	}

	/** Adds the command's own options. */
	abstract void addTo(Arguments arguments);

	@Override
	final ExitCode run() {
		addTo(this.selection.addTo(session().signed(arguments(), this.selection.dryRun())));
		Map<String, String> request = new TreeMap<>(arguments().map());
		// they need no number that is expected
		boolean named = this.selection.named() || request.containsKey("discard");
		try (Service service = session().open()) {
			if (this.selection.needsConfirmation(session()) && (this.change.confirmsNamed() || !named)) {
				JsonNode tried = ask(service, request, true);
				long wouldChange = tried.path(this.change.done()).asLong(0);
				if (wouldChange == 0) {
					return print(tried);
				}
				if (!MessageSelection.confirmed(session(), tried.path("preview"), request.containsKey("takeReserved"),
						this.change.question().formatted(wouldChange))) {
					session().console().note("Nothing is %s.".formatted(this.change.done()));
					return ExitCode.INTERRUPTED;
				}
				if (!named) {
					request.putIfAbsent("expect", tried.path("preview").path("token").asString(""));
				}
			}
			return print(ask(service, request, this.selection.dryRun()));
		}
	}

	private JsonNode ask(Service service, Map<String, String> request, boolean dryRun) {
		Map<String, String> arguments = new TreeMap<>(request);
		if (dryRun) {
			arguments.put("dryRun", "true");
		}
		return service.ask(Request.write(arguments, "parkinglot", this.change.operation()));
	}

	private ExitCode print(JsonNode answer) {
		session().print(answer, this.change.text());
		long missing = this.selection.missing(answer.path(this.change.done()).asLong(0));
		if (missing > 0) {
			session().console()
				.note("%s of them are not %s, or do not match.".formatted(missing, this.change.before()));
			return ExitCode.NOT_FOUND;
		}
		return ExitCode.DONE;
	}

	/**
	 * What is done.
	 *
	 * @param operation the endpoint's operation
	 * @param before the state of messages it can be done to
	 * @param done what they are afterwards
	 * @param confirmsNamed whether to ask for confirmation if messages are selected by id
	 * @param question the question to confirm
	 * @param text how the answer is shown
	 */
	record Change(String operation, String before, String done, boolean confirmsNamed, String question,
			BiFunction<JsonNode, Display, String> text) {

	}

	@Command(name = "discard",
			footer = { "  rabbit-retry parked discard 17 18 --because OBSOLETE",
					"  rabbit-retry parked discard --reason QUOTE_EXPIRED --because OLD --dry-run",
					"  rabbit-retry parked discard --reason QUOTE_EXPIRED --because OLD --expect 12" },
			description = { "Discards messages by filter or ids.",
					"Asks for confirmation on a terminal, but not in a script." })
	static final class Discard extends ParkingLotCommand {

		@Option(names = "--take-reserved",
				description = "also take messages that a replay has selected; it then skips them")
		private boolean takeReserved;

		Discard() {
			super(new Change("discard", "parked", "discarded", true, "Discard %s messages?", ParkedTables::discarded));
		}

		@Override
		void addTo(Arguments arguments) {
			arguments.with("takeReserved", this.takeReserved);
		}

	}

	@Command(name = "restore",
			footer = { "  rabbit-retry parked restore --discard 17 --because WRONG_FILTER",
					"  rabbit-retry parked restore 4711 --because WRONG_MESSAGE" },
			description = "Parks discarded messages again, until the ledger's retention deletes them.")
	static final class Restore extends ParkingLotCommand {

		@Option(names = "--discard", paramLabel = "AUDIT",
				description = "messages of this discard: the number that it printed and that 'audit' shows")
		private @Nullable String discard;

		Restore() {
			super(new Change("restore", "discarded", "restored", false, "Park %s messages again?",
					ParkedTables::restored));
		}

		@Override
		void addTo(Arguments arguments) {
			arguments.given("discard", this.discard);
		}

	}

}
