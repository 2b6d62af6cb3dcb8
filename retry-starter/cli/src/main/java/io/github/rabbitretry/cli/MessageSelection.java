/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli;

import java.util.List;

import io.github.rabbitretry.cli.output.PreviewLines;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/**
 * Which messages are meant besides a filter, and whether a person at a terminal confirms
 * them before something is done with them.
 */
final class MessageSelection {

	@Parameters(arity = "0..*", paramLabel = "ID", description = "ids of messages, as shown by 'parked list'")
	private List<Long> ids = List.of();

	@Option(names = "--all", description = "select all messages, without a filter")
	private boolean all;

	@Option(names = "--dry-run", description = "only show what would be done")
	private boolean dryRun;

	@Option(names = { "-y", "--yes" }, description = "do not ask for confirmation")
	private boolean yes;

	boolean named() {
		return !this.ids.isEmpty();
	}

	boolean dryRun() {
		return this.dryRun;
	}

	Arguments addTo(Arguments arguments) {
		return arguments.ids(this.ids).with("all", this.all);
	}

	/** Who names messages wants those: how many of them were left out. */
	long missing(long done) {
		return this.ids.stream().distinct().count() - done;
	}

	/** A script is not asked. */
	boolean needsConfirmation(Session session) {
		return !this.yes && !this.dryRun && session.console().personThere();
	}

	/**
	 * Asks.
	 * @param session where the person is
	 * @param preview what a dry run shows of the messages
	 * @param takesReserved whether those are meant too that replays have selected
	 * @param question the question
	 * @return whether the answer is yes
	 */
	static boolean confirmed(Session session, JsonNode preview, boolean takesReserved, String question) {
		PreviewLines.messages(preview).forEach(session.console()::note);
		PreviewLines.reserved(preview, takesReserved).forEach(session.console()::note);
		return session.console().confirms(question);
	}

}
