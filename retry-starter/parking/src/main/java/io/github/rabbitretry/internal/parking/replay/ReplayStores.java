/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.replay;

import java.time.InstantSource;

import io.github.rabbitretry.internal.parking.ledger.LedgerSchema;
import io.github.rabbitretry.parking.message.Ledger;

/**
 * Everything that is kept of replays, for one application.
 *
 * @param tables the way to the tables
 * @param jobs the replays
 * @param items the messages of replays
 * @param outcomes what became of these messages
 * @param audit what was done
 * @param contents what edited messages contain
 * @param previews what would be done
 * @param retention what deletes old replays
 * @param application the application; jobs are worked on by its instances alone, since
 * another one may share the database and not know the queues
 * @param clock the database's, which is known once the tables are there
 */
public record ReplayStores(ReplayTables tables, JobStore jobs, ItemStore items, OutcomeStore outcomes,
		JdbcAuditLog audit, EditedMessageRepository contents, Previews previews, ReplayRetention retention,
		String application, InstantSource clock) {

	/**
	 * Creates the stores.
	 * @param schema the tables
	 * @param ledger the parked messages
	 * @param application the application
	 * @param clock what time it is
	 */
	public ReplayStores(LedgerSchema schema, Ledger ledger, String application, InstantSource clock) {
		this(new ReplayTables(schema), ledger, application, clock);
	}

	private ReplayStores(ReplayTables tables, Ledger ledger, String application, InstantSource clock) {
		this(tables, new JobStore(tables, application, clock), new ItemStore(tables), new OutcomeStore(tables),
				new JdbcAuditLog(tables, application, clock), new EditedMessageRepository(ledger, tables),
				new Previews(tables, ledger), new ReplayRetention(tables, application, clock), application, clock);
	}

	@Override
	public InstantSource clock() {
		this.tables.jdbc();
		return this.clock;
	}

}
