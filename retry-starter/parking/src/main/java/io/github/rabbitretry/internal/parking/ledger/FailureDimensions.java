/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.ledger;

import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.rabbitretry.internal.parking.mapping.FailureDimension;

import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;

/**
 * The ids of failure kinds, remembered; those that no message has any more are deleted,
 * since they quote texts of exceptions. After a kind was deleted, or a database was put
 * back to an older state, {@link #forget()} helps.
 */
final class FailureDimensions {

	private static final int MOST = 10_000;

	/** So that a delete holds no lock for long. */
	private static final int PORTION = 1000;

	private static final String UNUSED = "select k.id from rabbit_retry_failure_kind k where not exists"
			+ " (select 1 from rabbit_retry_parked p where p.kind_id = k.id)";

	private static final String INSERT = """
			insert into rabbit_retry_failure_kind (kind_key, queue, message_type, owner_team, last_reason, failure_reason,
				failure_class, fingerprint, exception, handler_version, consumer, payload_state,
				cause, root_exception, root_message, search_text)
			values (:key, :queue, :messageType, :owner, :reason, :failureReason,
				:failureClass, :fingerprint, :exception, :handlerVersion, :consumer, :payload,
				:cause, :rootException, :rootMessage, :searchText)""";

	private final LedgerSchema schema;

	private final LedgerTransactions transactions;

	private final Map<FailureDimension, Long> known = new LinkedHashMap<>(16, 0.75f, true) {

		@Override
		protected boolean removeEldestEntry(Map.Entry<FailureDimension, Long> eldest) {
			return size() > MOST;
		}

	};

	FailureDimensions(LedgerSchema schema, LedgerTransactions transactions) {
		this.schema = schema;
		this.transactions = transactions;
	}

	/**
	 * The ids of kinds, created where they are new. Not to be called in a transaction:
	 * what it rolls back would be remembered.
	 * @param kinds the kinds
	 * @return an id for each
	 */
	synchronized Map<FailureDimension, Long> ids(Collection<FailureDimension> kinds) {
		Map<FailureDimension, Long> ids = new HashMap<>();
		Map<ByteBuffer, FailureDimension> unknown = new LinkedHashMap<>();
		for (FailureDimension kind : kinds) {
			Long id = this.known.get(kind);
			if (id != null) {
				ids.put(kind, id);
			}
			else {
				unknown.put(ByteBuffer.wrap(kind.key()), kind);
			}
		}
		if (!unknown.isEmpty()) {
			Map<ByteBuffer, Long> found = find(unknown.keySet());
			unknown.forEach((key, kind) -> {
				if (!found.containsKey(key)) {
					insert(key, kind);
				}
			});
			if (found.size() < unknown.size()) {
				found.putAll(find(unknown.keySet()));
			}
			unknown.forEach((key, kind) -> {
				Long id = found.get(key);
				ids.put(kind, id);
				this.known.put(kind, id);
			});
		}
		return ids;
	}

	private Map<ByteBuffer, Long> find(Collection<ByteBuffer> keys) {
		Map<ByteBuffer, Long> found = new HashMap<>();
		List<byte[]> bytes = keys.stream().map(ByteBuffer::array).toList();
		this.transactions.jdbc()
			.query("select kind_key, id from rabbit_retry_failure_kind where kind_key in (:keys)",
					Map.of("keys", bytes), (row) -> {
						found.put(ByteBuffer.wrap(row.getBytes(1)), row.getLong(2));
					});
		return found;
	}

	private void insert(ByteBuffer key, FailureDimension kind) {
		try {
			this.transactions.update(INSERT,
					new MapSqlParameterSource("key", key.array()).addValue("queue", kind.queue())
						.addValue("messageType", kind.messageType())
						.addValue("owner", kind.owner())
						.addValue("reason", kind.reason())
						.addValue("failureReason", kind.failureReason())
						.addValue("failureClass", kind.failureClass())
						.addValue("fingerprint", kind.fingerprint())
						.addValue("exception", kind.exception())
						.addValue("handlerVersion", kind.handlerVersion())
						.addValue("consumer", kind.consumer())
						.addValue("payload", kind.payload().name())
						.addValue("cause", kind.cause().id())
						.addValue("rootException", kind.cause().exception())
						.addValue("rootMessage", kind.cause().text())
						.addValue("searchText", kind.searchText()));
		}
		catch (DuplicateKeyException ex) {
			// another instance was faster
		}
	}

	/**
	 * Keeps kinds from deletion until the current transaction ends.
	 * @param kindIds their ids
	 * @throws DataIntegrityViolationException if one of them was deleted
	 */
	void hold(Collection<Long> kindIds) {
		Set<Long> wanted = new HashSet<>(kindIds);
		List<Long> held = this.transactions.jdbc()
			.queryForList("select id from rabbit_retry_failure_kind where id in (:kinds) order by id for update",
					Map.of("kinds", wanted), Long.class);
		if (held.size() < wanted.size()) {
			throw new DataIntegrityViolationException("a failure kind was deleted meanwhile");
		}
	}

	synchronized void forget() {
		this.known.clear();
	}

	/**
	 * Deletes the kinds of a queue that no message has, whatever its state.
	 * @param queue the work queue
	 * @return how many kinds
	 */
	int deleteUnused(String queue) {
		List<Long> unused = this.transactions.jdbc()
			.queryForList(UNUSED + " and k.queue = :queue order by k.id", Map.of("queue", queue), Long.class);
		int deleted = 0;
		for (int from = 0; from < unused.size(); from += PORTION) {
			List<Long> some = unused.subList(from, Math.min(from + PORTION, unused.size()));
			deleted += this.transactions.inTransaction(() -> deleteIfUnused(some));
		}
		return deleted;
	}

	/** What is used meanwhile is either locked or, once it is locked here, seen. */
	private int deleteIfUnused(List<Long> kinds) {
		List<Long> locked = this.transactions.jdbc()
			.queryForList(
					"select id from rabbit_retry_failure_kind where id in (:kinds) order by id for update skip locked",
					Map.of("kinds", kinds), Long.class);
		if (locked.isEmpty()) {
			return 0;
		}
		List<Long> unused = this.transactions.jdbc()
			.queryForList(UNUSED + " and k.id in (:locked)", Map.of("locked", locked), Long.class);
		if (unused.isEmpty()) {
			return 0;
		}
		MapSqlParameterSource parameters = new MapSqlParameterSource("unused", unused);
		if (this.schema.ready().keepsCounts()) {
			this.transactions.update("delete from rabbit_retry_parked_count where kind_id in (:unused)", parameters);
		}
		return this.transactions.update("delete from rabbit_retry_failure_kind where id in (:unused)", parameters);
	}

}
