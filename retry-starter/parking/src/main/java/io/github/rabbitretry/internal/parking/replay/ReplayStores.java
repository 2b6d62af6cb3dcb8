/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.replay;

import java.time.InstantSource;

import io.github.rabbitretry.internal.parking.ledger.LedgerSchema;
import io.github.rabbitretry.parking.message.Ledger;
import io.github.rabbitretry.parking.replay.AuditLog;

/**
 * Everything that is kept of replays, for one application.
 */
public final class ReplayStores {

	private final ReplayTables tables;

	private final JobStore jobs;

	private final ItemStore items;

	private final OutcomeStore outcomes;

	private final JdbcAuditLog audit;

	private final EditedMessageRepository contents;

	private final Previews previews;

	private final String application;

	private final InstantSource clock;

	/**
	 * Creates the stores.
	 * @param schema the tables
	 * @param ledger the parked messages
	 * @param application the application; jobs are worked on by its instances alone,
	 * since another one may share the database and not know the queues
	 * @param clock what time it is
	 */
	public ReplayStores(LedgerSchema schema, Ledger ledger, String application, InstantSource clock) {
		this.tables = new ReplayTables(schema);
		this.jobs = new JobStore(this.tables, application, clock);
		this.items = new ItemStore(this.tables);
		this.outcomes = new OutcomeStore(this.tables);
		this.audit = new JdbcAuditLog(this.tables, application, clock);
		this.contents = new EditedMessageRepository(ledger, this.tables);
		this.previews = new Previews(this.tables, ledger);
		this.application = application;
		this.clock = clock;
	}

	/**
	 * The audit.
	 * @return what was done
	 */
	public AuditLog auditLog() {
		return this.audit;
	}

	ReplayTables tables() {
		return this.tables;
	}

	JobStore jobs() {
		return this.jobs;
	}

	ItemStore items() {
		return this.items;
	}

	OutcomeStore outcomes() {
		return this.outcomes;
	}

	JdbcAuditLog audit() {
		return this.audit;
	}

	EditedMessageRepository contents() {
		return this.contents;
	}

	Previews previews() {
		return this.previews;
	}

	ReplayRetention retention() {
		return new ReplayRetention(this.tables, this.application, this.clock);
	}

	String application() {
		return this.application;
	}

	/** The database's, which is known once the tables are there. */
	InstantSource clock() {
		this.tables.jdbc();
		return this.clock;
	}

}
