/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.ledger;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import io.github.rabbitretry.internal.message.LogText;
import io.github.rabbitretry.internal.parking.mapping.FailureDimension;
import io.github.rabbitretry.internal.parking.mapping.ParkedRecord;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.DuplicateKeyException;

/**
 * Writes parked messages into the database, each parking once.
 */
public final class LedgerStore {

	private static final Log logger = LogFactory.getLog(LedgerStore.class);

	private final LedgerSchema schema;

	private final LedgerTransactions transactions;

	private final FailureDimensions kinds;

	/**
	 * Creates the store.
	 * @param schema the tables
	 */
	public LedgerStore(LedgerSchema schema) {
		this.schema = schema;
		this.transactions = new LedgerTransactions(schema);
		this.kinds = new FailureDimensions(schema, this.transactions);
	}

	/**
	 * Stores rows. When this returns, all are committed but those that it returns.
	 * @param rows the rows
	 * @return the rows that the database does not take, whatever is left out of them
	 * @throws org.springframework.dao.DataAccessException if the database can't be used
	 * at all; then some may be committed, which are found when the same rows are saved
	 * again
	 */
	public List<ParkedRecord> save(List<ParkedRecord> rows) {
		LedgerDialect dialect = this.schema.ready();
		try {
			saveAll(dialect, rows);
			return List.of();
		}
		catch (DataIntegrityViolationException ex) {
			// a stranger's consumer stored one of them meanwhile, or one of them can't be
			// stored, or a kind is gone: each by itself shows
			logger.debug("A batch of parked messages is stored one by one", ex);
			this.kinds.forget();
			return rows.stream().filter((row) -> !saveOne(dialect, row)).toList();
		}
	}

	private boolean saveOne(LedgerDialect dialect, ParkedRecord row) {
		try {
			try {
				saveAll(dialect, List.of(row));
			}
			catch (DuplicateKeyException ex) {
				saveAll(dialect, List.of(row));
			}
			catch (DataIntegrityViolationException ex) {
				logger.warn("The database does not take all of a parked message of %s; it is stored without its texts"
					.formatted(LogText.of(row.kind().messageType())), ex);
				saveAll(dialect, List.of(row.bare()));
			}
			return true;
		}
		catch (DataIntegrityViolationException ex) {
			logger.error("The database does not take a parked message of %s; it stays in its queue until the next start"
				.formatted(LogText.of(row.kind().messageType())), ex);
			return false;
		}
	}

	private void saveAll(LedgerDialect dialect, List<ParkedRecord> rows) {
		Map<FailureDimension, Long> kindIds = this.kinds
			.ids(rows.stream().map(ParkedRecord::kind).collect(Collectors.toCollection(HashSet::new)));
		this.transactions.inTransaction(() -> {
			List<ParkedRecord> fresh = fresh(rows);
			if (!fresh.isEmpty()) {
				if (!dialect.locksReferences()) {
					this.kinds.hold(kindIds.values());
				}
				ParkedInserts.insert(this.transactions.jdbc().getJdbcTemplate(), fresh, kindIds);
			}
			return fresh;
		});
	}

	/** Those that are not stored yet. */
	private List<ParkedRecord> fresh(List<ParkedRecord> rows) {
		Set<ByteBuffer> stored = new HashSet<>(ids(rows).keySet());
		List<ParkedRecord> fresh = new ArrayList<>();
		for (ParkedRecord row : rows) {
			if (stored.add(ByteBuffer.wrap(row.key()))) {
				fresh.add(row);
			}
		}
		return fresh;
	}

	/**
	 * The ids of stored rows.
	 * @param rows the rows
	 * @return their ids by key
	 */
	public Map<ByteBuffer, Long> ids(Collection<ParkedRecord> rows) {
		List<byte[]> keys = rows.stream().map(ParkedRecord::key).toList();
		Map<ByteBuffer, Long> ids = new HashMap<>();
		this.transactions.jdbc()
			.query("select ledger_key, id from rabbit_retry_parked where ledger_key in (:keys)", Map.of("keys", keys),
					(row) -> {
						ids.put(ByteBuffer.wrap(row.getBytes(1)), row.getLong(2));
					});
		return ids;
	}

}
