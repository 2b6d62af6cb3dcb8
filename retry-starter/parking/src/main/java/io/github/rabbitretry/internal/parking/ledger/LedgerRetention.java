/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.ledger;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.github.rabbitretry.internal.parking.mapping.LedgerPolicy;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;

/**
 * Deletes what was parked longer ago than its policy keeps it, whatever became of it, but
 * for what a replay has selected that has not ended.
 */
public final class LedgerRetention {

	private static final Log logger = LogFactory.getLog(LedgerRetention.class);

	/** So that a delete holds no lock for long. */
	private static final int PORTION = 1000;

	/**
	 * What is old when it is stored has to be there for as long as all else: the ledger
	 * was away or is new, or the clock of the instance that parked it is behind.
	 */
	private static final String DELETE = """
			delete from rabbit_retry_parked where id in (
				select p.id from rabbit_retry_parked p
				join rabbit_retry_failure_kind k on k.id = p.kind_id
				where k.queue = :queue and p.parked_at < :before and p.stored_at < :before and not %s
				limit :portion)""".formatted(ParkedSelection.RESERVED);

	private final LedgerTransactions transactions;

	private final FailureDimensions kinds;

	private final LedgerSchema schema;

	private final List<LedgerPolicy> policies;

	private final InstantSource clock;

	LedgerRetention(LedgerSchema schema, Collection<LedgerPolicy> policies, InstantSource clock) {
		this.transactions = new LedgerTransactions(schema);
		this.kinds = new FailureDimensions(schema, this.transactions);
		this.schema = schema;
		this.policies = policies.stream().filter((policy) -> policy.retention() != null).toList();
		this.clock = clock;
	}

	/**
	 * How long messages are kept.
	 * @param policies the policies of the services
	 * @return by work queue; those of other queues are kept for ever
	 */
	public static Map<String, Duration> byQueue(Collection<LedgerPolicy> policies) {
		Map<String, Duration> byQueue = new HashMap<>();
		policies.forEach((policy) -> {
			if (policy.retention() != null) {
				policy.queues().forEach((queue) -> byQueue.put(queue, policy.retention()));
			}
		});
		return byQueue;
	}

	/** When a message is too old. */
	static Instant end(Instant parkedAt, Instant storedAt, Duration retention) {
		return (storedAt.isAfter(parkedAt) ? storedAt : parkedAt).plus(retention);
	}

	/** Whether anything is ever too old. */
	boolean deletes() {
		return !this.policies.isEmpty();
	}

	/**
	 * Deletes what is too old now.
	 * @return how many rows that were
	 */
	long deleteOld() {
		this.schema.ready();
		long deleted = 0;
		for (LedgerPolicy policy : this.policies) {
			Duration retention = policy.retention();
			if (retention != null) {
				for (String queue : policy.queues()) {
					deleted += deleteOld(queue, this.clock.instant().minus(retention));
					this.kinds.deleteUnused(queue);
				}
			}
		}
		return deleted;
	}

	private long deleteOld(String queue, Instant before) {
		long deleted = 0;
		int portion;
		do {
			portion = this.transactions.inTransaction(() -> deletePortion(queue, before));
			deleted += portion;
		}
		while (portion == PORTION);
		if (deleted > 0) {
			logger.info(
					"Deleted %s messages of '%s' from the ledger, parked before %s".formatted(deleted, queue, before));
		}
		return deleted;
	}

	private int deletePortion(String queue, Instant before) {
		this.transactions.lockSelections();
		return this.transactions.update(DELETE,
				new MapSqlParameterSource("queue", queue).addValue("before", before.atOffset(ZoneOffset.UTC))
					.addValue("portion", PORTION));
	}

}
