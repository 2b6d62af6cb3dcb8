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
import io.github.rabbitretry.cli.service.ServiceException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/**
 * What is parked.
 */
@Command(name = "parked",
		footer = { "  rabbit-retry parked list --queue order.command.create", "  rabbit-retry parked groups" },
		description = "Parked messages: list, group, show, discard, restore, edit.")
final class ParkedCommands {

	private static final String PARKED = "parkinglot";

	static CommandLine line(Session session) {
		CommandLine parked = new CommandLine(new ParkedCommands());
		parked
			.addSubcommand(new Listing().line(session, Argument.Kind.FILTER, Argument.Kind.SEARCH, Argument.Kind.PAGE));
		parked.addSubcommand(
				new Groups().line(session, Argument.Kind.FILTER, Argument.Kind.SEARCH, Argument.Kind.GROUPS));
		parked.addSubcommand(new Show().line(session, Argument.Kind.FILTER));
		List.of(new ParkingLotCommand.Discard(), new ParkingLotCommand.Restore())
			.forEach((change) -> parked
				.addSubcommand(change.line(session, Argument.Kind.FILTER, Argument.Kind.MAXIMUM, Argument.Kind.ACT)));
		return parked.addSubcommand(new EditCommand().line(session, Argument.Kind.ACT));
	}

	@Command(name = "list",
			footer = { "  rabbit-retry parked list --reason DOWNSTREAM_TIMEOUT --from 2h --count",
					"  rabbit-retry parked list --owner team-orders --output json" },
			description = "Lists messages, most recently parked first unless --oldest-first is given.")
	static final class Listing extends ServiceCommand {

		@Option(names = "--count", description = "show the total number of matches")
		private boolean count;

		@Option(names = "--oldest-first", description = "begin with the message that was parked first")
		private boolean oldestFirst;

		@Override
		ExitCode run() {
			arguments().with("count", this.count).given("order", this.oldestFirst ? "OLDEST_FIRST" : null);
			JsonNode answer = ask(Request.read(arguments().map(), PARKED));
			session().print(answer, ParkedTables::messages);
			if (answer.hasNonNull("total")) {
				session().console().note("%s match.".formatted(answer.path("total").asString()));
			}
			if (answer.hasNonNull("next")) {
				session().console().note("There are more: --after " + answer.path("next").asString());
			}
			return ExitCode.DONE;
		}

	}

	@Command(name = "groups", footer = { "  rabbit-retry parked groups --type CreateOrderCommand",
			"  rabbit-retry parked groups --by owner", "  rabbit-retry parked groups --new-since order-worker:1.4.0" },
			description = "Groups messages by the cause of their last failure, or by another attribute, largest first.")
	static final class Groups extends ServiceCommand {

		@Override
		ExitCode run() {
			session().print(ask(Request.read(arguments().map(), PARKED, "groups")),
					arguments().has(Argument.BY) ? ParkedTables::totals : ParkedTables::groups);
			return ExitCode.DONE;
		}

	}

	@Command(name = "show", footer = { "  rabbit-retry parked show 17 --payload", "  rabbit-retry parked show --latest",
			"  rabbit-retry parked show --latest --cause 4be1f0c2a9d7" }, description = "Shows one message.")
	static final class Show extends ServiceCommand {

		@Parameters(arity = "0..1", paramLabel = "ID", description = "id of the message, as shown by 'parked list'")
		private @Nullable Long id;

		@Option(names = "--latest", description = "the most recently parked message that matches the filter")
		private boolean latest;

		@Option(names = "--payload",
				description = "include its body and its producer's headers, if the service allows it")
		private boolean payload;

		@Override
		ExitCode run() {
			if ((this.id != null) == this.latest) {
				throw ServiceException.usage("Which message? Give its id or --latest.");
			}
			Map<String, String> where = arguments().map();
			if (!this.latest && !where.isEmpty()) {
				throw ServiceException.usage("An id names one message. Leave out the filter, or say --latest.");
			}
			Map<String, String> how = new Arguments().with("payload", this.payload).map();
			try (Service service = session().open()) {
				String shown = (this.id != null) ? this.id.toString() : latest(service, where);
				session().print(service.ask(Request.read(how, PARKED, shown)), ParkedTables::message);
			}
			return ExitCode.DONE;
		}

		private static String latest(Service service, Map<String, String> where) {
			Map<String, String> first = new TreeMap<>(where);
			first.put("size", "1");
			JsonNode id = service.ask(Request.read(first, PARKED)).path("messages").path(0).path("id");
			if (id.isMissingNode()) {
				throw new ServiceException(ExitCode.NOT_FOUND, "Nothing is parked.");
			}
			return id.asString();
		}

	}

}
