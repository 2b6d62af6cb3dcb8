/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli;

import io.github.rabbitretry.cli.output.ParkedTables;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Parks again what was discarded.
 */
@Command(name = "restore", sortOptions = false, abbreviateSynopsis = true, footerHeading = "%nExamples:%n",
		footer = { "  rabbit-retry parked restore --discard 17 --because WRONG_FILTER",
				"  rabbit-retry parked restore 4711 --because WRONG_MESSAGE" },
		description = "Parks discarded messages again, until the ledger's retention deletes them.")
final class RestoreCommand extends ParkingLotCommand {

	@Option(names = "--discard", paramLabel = "AUDIT",
			description = "what this discard discarded: the number that it printed, and that 'audit' shows")
	private @Nullable String discard;

	private RestoreCommand(Session session) {
		super(session,
				new Change("restore", "discarded", "restored", "Park %d messages again?", ParkedTables::restored));
	}

	static CommandLine line(Session session) {
		return new RestoreCommand(session).with(Argument.Kind.FILTER, Argument.Kind.MAXIMUM, Argument.Kind.ACT);
	}

	@Override
	void addTo(Arguments arguments) {
		arguments.given("discard", this.discard);
	}

	@Override
	boolean named() {
		return super.named() || this.discard != null;
	}

	@Override
	boolean confirmsNamed() {
		return false;
	}

}
