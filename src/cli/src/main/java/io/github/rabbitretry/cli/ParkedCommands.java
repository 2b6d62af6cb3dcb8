/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli;

import java.util.List;

import io.github.rabbitretry.cli.output.ParkedTables;
import io.github.rabbitretry.cli.service.ExitCode;
import io.github.rabbitretry.cli.service.Request;
import io.github.rabbitretry.cli.service.ServiceException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/**
 * What is parked.
 */
@Command(name = "parked", sortOptions = false, abbreviateSynopsis = true,
		description = "Parked messages: list, group, show, discard, edit.")
final class ParkedCommands implements Runnable {

	private static final String PARKED = "parkinglot";

	@Spec
	private @Nullable CommandSpec spec;

	static List<CommandLine> all(Session session) {
		return List.of(new Listing(session).with(Argument.Kind.FILTER, Argument.Kind.SEARCH, Argument.Kind.PAGE),
				new Groups(session).with(Argument.Kind.FILTER, Argument.Kind.SEARCH), new Show(session).with(),
				DiscardCommand.line(session), EditCommand.line(session));
	}

	@Override
	public void run() {
		throw new ServiceException(ExitCode.USAGE,
				"Which of list, groups, show, discard and edit? Try: rabbit-retry parked --help");
	}

	@Command(name = "list", sortOptions = false, abbreviateSynopsis = true,
			description = "Lists messages, last parked first.")
	static final class Listing extends ServiceCommand {

		@Option(names = "--count", description = "tell how many match in all")
		private boolean count;

		Listing(Session session) {
			super(session);
		}

		@Override
		ExitCode run() {
			JsonNode answer = ask(Request.read(arguments().with("count", this.count).map(), PARKED));
			session().print(answer, (page) -> ParkedTables.messages(page, session().options().wide));
			if (answer.hasNonNull("total")) {
				session().screen().note("%s match.".formatted(answer.path("total").asString()));
			}
			if (answer.hasNonNull("next")) {
				session().screen().note("There are more: --after " + answer.path("next").asString());
			}
			return ExitCode.DONE;
		}

	}

	@Command(name = "groups", sortOptions = false, abbreviateSynopsis = true,
			description = "Groups messages whose failures look alike, largest first.")
	static final class Groups extends ServiceCommand {

		@Option(names = "--size", paramLabel = "N", description = "how many groups, at most 1000")
		private @Nullable String size;

		@Option(names = "--new-since", paramLabel = "VERSION",
				description = "only failures that were not seen before this handler version")
		private @Nullable String newSince;

		Groups(Session session) {
			super(session);
		}

		@Override
		ExitCode run() {
			arguments().given("size", this.size).given("newSince", this.newSince);
			session().print(ask(Request.read(arguments().map(), PARKED, "groups")),
					(groups) -> ParkedTables.groups(groups, session().options().wide));
			return ExitCode.DONE;
		}

	}

	@Command(name = "show", sortOptions = false, abbreviateSynopsis = true, description = "Shows one message.")
	static final class Show extends ServiceCommand {

		@Parameters(paramLabel = "ID", description = "its id, as 'parked list' shows it")
		private long id;

		@Option(names = "--payload", description = "with its body and its producer's headers, if the service allows it")
		private boolean payload;

		@Option(names = "--queue", paramLabel = "NAME", description = "without a ledger: look at this parking lot only")
		private @Nullable String queue;

		Show(Session session) {
			super(session);
		}

		@Override
		ExitCode run() {
			arguments().with("payload", this.payload).given("queue", this.queue);
			session().print(ask(Request.read(arguments().map(), PARKED, Long.toString(this.id))),
					ParkedTables::message);
			return ExitCode.DONE;
		}

	}

}
