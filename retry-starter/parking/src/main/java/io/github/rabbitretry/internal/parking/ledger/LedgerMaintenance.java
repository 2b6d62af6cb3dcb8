/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.ledger;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

import javax.sql.DataSource;

import io.github.rabbitretry.internal.parking.mapping.LedgerPolicy;

/**
 * What the ledger needs done: deleting what is too old, and summing up its counts.
 */
public final class LedgerMaintenance extends DatabaseMaintenance {

	private static final Duration BETWEEN_DELETIONS = Duration.ofMinutes(10);

	private static final Duration BETWEEN_SUMS = Duration.ofMinutes(1);

	private final LedgerSchema schema;

	private final LedgerRetention retention;

	private final LedgerCounts counts;

	/**
	 * Creates the maintenance.
	 * @param dataSource leads to the database
	 * @param schema its tables
	 * @param policies what is kept for how long
	 * @param clock what time it is
	 */
	public LedgerMaintenance(DataSource dataSource, LedgerSchema schema, Collection<LedgerPolicy> policies,
			InstantSource clock) {
		super("rabbit-retry-ledger-upkeep");
		this.schema = schema;
		this.retention = new LedgerRetention(dataSource, schema, policies, clock);
		this.counts = new LedgerCounts(dataSource, schema);
	}

	@Override
	protected List<Task> tasks() {
		List<Task> tasks = new ArrayList<>();
		if (this.schema.unused()) {
			return tasks;
		}
		if (this.retention.deletes()) {
			tasks.add(new Task(BETWEEN_DELETIONS, this.retention::deleteOld, "What is too old stays in the ledger"));
		}
		tasks.add(new Task(BETWEEN_SUMS, this.counts::sumUp, "Counts of the ledger are not summed up"));
		return tasks;
	}

}
