/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.chaos;

import java.util.function.Consumer;

import io.github.rabbitretry.database.Database;

/**
 * What can happen to a {@link LedgerSite}.
 */
enum DatabaseFault {

	KILLED(3, 1, server(Database::kill), server(Database::startAgain)),

	STOPPED(3, 1, server(Database::stop), server(Database::startAgain)),

	FROZEN(LedgerSite.LONG, 1, server(Database::freeze), server(Database::unfreeze)),

	/** So are pooled connections: they stay, and what writes fails. */
	READ_ONLY(5, 1, database((database) -> database.readOnly(true)), database((database) -> database.readOnly(false))),

	FULL(5, 1, database((database) -> database.full(true)), database((database) -> database.full(false))),

	CONNECTIONS_TERMINATED(0, 1, database(LedgerDatabase::terminateConnections), (site) -> {
	}),

	TABLE_LOCKED(LedgerSite.LONG, 1, database(LedgerDatabase::lockTable), database(LedgerDatabase::unlockTable)),

	FAILED_OVER(2, 1, (site) -> {
		site.database().replicate();
		site.pause(1);
		site.database().server().kill();
	}, database(LedgerDatabase::promote)),

	APPLICATION_KILLED(0, 2, (site) -> site.application().kill(), LedgerSite::startApplication),

	KILLED_WITH_APPLICATION(LedgerSite.LONG, 3, server(Database::kill).andThen(LedgerSite::restartApplication),
			server(Database::startAgain)),

	APPLICATION_KILLED_WHILE_FROZEN(LedgerSite.LONG, 3,
			server(Database::freeze).andThen(LedgerSite::restartApplication), server(Database::unfreeze));

	private final int seconds;

	private final int interruptions;

	private final Consumer<LedgerSite> begin;

	private final Consumer<LedgerSite> end;

	DatabaseFault(int seconds, int interruptions, Consumer<LedgerSite> begin, Consumer<LedgerSite> end) {
		this.seconds = seconds;
		this.interruptions = interruptions;
		this.begin = begin;
		this.end = end;
	}

	private static Consumer<LedgerSite> database(Consumer<LedgerDatabase> what) {
		return (site) -> what.accept(site.database());
	}

	private static Consumer<LedgerSite> server(Consumer<Database> what) {
		return database((database) -> what.accept(database.server()));
	}

	/**
	 * Happens, and is over.
	 * @return after how many seconds messages flowed again
	 */
	double happen(LedgerSite site) {
		this.begin.accept(site);
		site.pause(this.seconds);
		this.end.accept(site);
		return site.awaitFlow();
	}

	/**
	 * How many times a batch may be published again, or delivered again: once for a lost
	 * lease, a death, and the deliveries of what died.
	 */
	int interruptions() {
		return this.interruptions;
	}

}
