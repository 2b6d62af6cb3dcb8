/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli;

import io.github.rabbitretry.cli.output.ParkedTables;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Discards parked messages.
 */
@Command(name = "discard", sortOptions = false, abbreviateSynopsis = true, footerHeading = "%nExamples:%n",
		footer = { "  rabbit-retry parked discard 17 18 --because OBSOLETE",
				"  rabbit-retry parked discard --reason QUOTE_EXPIRED --because OLD --dry-run",
				"  rabbit-retry parked discard --reason QUOTE_EXPIRED --because OLD --expect 12" },
		description = { "Discards messages by filter or ids.",
				"A person at a terminal is asked before; a script is not." })
final class DiscardCommand extends ParkingLotCommand {

	@Option(names = "--take-reserved", description = "take what a replay has selected too; it skips that then")
	private boolean takeReserved;

	private DiscardCommand(Session session) {
		super(session, new Change("discard", "parked", "discarded", "Discard %d messages?", ParkedTables::discarded));
	}

	static CommandLine line(Session session) {
		return new DiscardCommand(session).with(Argument.Kind.FILTER, Argument.Kind.MAXIMUM, Argument.Kind.ACT);
	}

	@Override
	void addTo(Arguments arguments) {
		arguments.with("takeReserved", this.takeReserved);
	}

	@Override
	boolean takesReserved() {
		return this.takeReserved;
	}

	@Override
	boolean confirmsNamed() {
		return true;
	}

}
