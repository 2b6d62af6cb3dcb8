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
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

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

	private RestoreCommand(Session session) {
		super(session);
	}

	static CommandLine line(Session session) {
		return new RestoreCommand(session).with(Argument.Kind.FILTER, Argument.Kind.MAXIMUM, Argument.Kind.ACT);
	}

	@Override
	ExitCode run() {
		signed().ids(this.ids).given("discard", this.discard).with("all", this.all).with("dryRun", this.dryRun);
		session().print(ask(Request.write(arguments().map(), "parkinglot", "restore")), ParkedTables::restored);
		return ExitCode.DONE;
	}

}
