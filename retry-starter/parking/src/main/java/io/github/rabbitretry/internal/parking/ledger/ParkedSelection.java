/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.ledger;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Collection;

import io.github.rabbitretry.parking.message.ParkedFilter;
import io.github.rabbitretry.parking.message.ParkedState;
import io.github.rabbitretry.parking.message.PayloadState;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;

/**
 * What is still parked and matches a filter, as SQL for statements that do something with
 * it.
 */
public final class ParkedSelection {

	/** That a replay that has not ended has selected message {@code p}. */
	static final String RESERVED = "exists (select 1 from rabbit_retry_replay_item r"
			+ " join rabbit_retry_replay_job h on h.id = r.job_id where r.parked_id = p.id"
			+ " and r.state in ('SELECTED', 'CLAIMED') and h.state in ('CANARY', 'RUNNING', 'PAUSED'))";

	private final StringBuilder conditions = new StringBuilder();

	private ParkedState state = ParkedState.PARKED;

	private final MapSqlParameterSource parameters;

	/**
	 * Creates the selection.
	 * @param filter which messages; its state is left out, its text is not one of a log
	 */
	public ParkedSelection(ParkedFilter filter) {
		SearchConditions search = new SearchConditions(filter, false);
		this.conditions.append(search.ofKinds()).append(search.ofRows());
		this.parameters = search.parameters();
	}

	/**
	 * Leaves out what was stored later. Not what was parked later: that is told by clocks
	 * that differ.
	 * @param cutOff an instant by the database's clock
	 * @return this
	 */
	public ParkedSelection storedBy(Instant cutOff) {
		this.conditions.append(" and p.stored_at <= :storedBy");
		this.parameters.addValue("storedBy", cutOff.atOffset(ZoneOffset.UTC));
		return this;
	}

	/**
	 * What a replay that has ended perhaps published, in place of what is parked.
	 * @param job its number
	 * @return this
	 */
	public ParkedSelection uncertainOf(long job) {
		this.state = ParkedState.REPLAYED;
		this.conditions.append(" and p.id in (select i.parked_id from rabbit_retry_replay_item i"
				+ " where i.job_id = :uncertainOf and i.state = 'UNCERTAIN')");
		this.parameters.addValue("uncertainOf", job);
		return this;
	}

	/**
	 * What was discarded, in place of what is parked.
	 * @param auditId the number of the audit's entry of the act that discarded it, or
	 * {@code null} for any
	 * @return this
	 */
	public ParkedSelection discarded(@Nullable Long auditId) {
		this.state = ParkedState.DISCARDED;
		if (auditId != null) {
			this.conditions.append(" and p.audit_id = :discardedBy");
			this.parameters.addValue("discardedBy", auditId);
		}
		return this;
	}

	/**
	 * What a replay that has ended did not publish and what is still, or again, parked.
	 * @param job its number
	 * @return this
	 */
	public ParkedSelection restOf(long job) {
		this.conditions.append(" and p.id in (select i.parked_id from rabbit_retry_replay_item i"
				+ " where i.job_id = :restOf and i.state in ('SELECTED', 'SKIPPED', 'FAILED'))");
		this.parameters.addValue("restOf", job);
		return this;
	}

	/**
	 * Leaves out what a replay has selected that has not ended.
	 * @return this
	 */
	public ParkedSelection withoutReserved() {
		this.conditions.append(" and not ").append(RESERVED);
		return this;
	}

	/**
	 * Leaves out everything else.
	 * @return this
	 */
	public ParkedSelection reserved() {
		this.conditions.append(" and ").append(RESERVED);
		return this;
	}

	/**
	 * Leaves out all but some messages.
	 * @param ids their ids, none for no restriction
	 * @return this
	 */
	public ParkedSelection among(Collection<Long> ids) {
		if (!ids.isEmpty()) {
			this.conditions.append(" and p.id in (:ids)");
			this.parameters.addValue("ids", ids);
		}
		return this;
	}

	/**
	 * Leaves out all but some queues' messages.
	 * @param queues work queues
	 * @return this
	 */
	public ParkedSelection ofQueues(Collection<String> queues) {
		// not all databases know an empty list
		this.conditions.append(queues.isEmpty() ? " and 1 = 0" : " and k.queue in (:queues)");
		this.parameters.addValue("queues", queues);
		return this;
	}

	/**
	 * Leaves out messages whose bodies are not there as they were.
	 * @return this
	 */
	public ParkedSelection replayable() {
		this.conditions.append(" and k.payload_state = '").append(PayloadState.WHOLE.name()).append('\'');
		return this;
	}

	/**
	 * The tables and the conditions, beginning with {@code from}; {@code p} is the
	 * message and {@code k} its failure kind.
	 * @return SQL
	 */
	public String from() {
		return " from rabbit_retry_parked p join rabbit_retry_failure_kind k on k.id = p.kind_id where " + "p.state = '"
				+ this.state.name() + "'" + this.conditions;
	}

	/**
	 * Where the messages stand.
	 * @return the state of all of them
	 */
	public ParkedState state() {
		return this.state;
	}

	/**
	 * The values, to be added to.
	 * @return the parameters of {@link #from()}
	 */
	public MapSqlParameterSource parameters() {
		return this.parameters;
	}

}
