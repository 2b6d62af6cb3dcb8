/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.replay;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

import io.github.rabbitretry.internal.message.HeaderText;
import io.github.rabbitretry.internal.parking.ledger.LedgerSchema;
import io.github.rabbitretry.parking.replay.AuditEntry;
import io.github.rabbitretry.parking.replay.OperatorAction;

/**
 * Records who is shown which body. A page that is read again and again adds one entry now
 * and then, so that it can't fill the audit.
 */
public final class BodyReads {

	private static final long BETWEEN_ENTRIES = Duration.ofMinutes(10).toNanos();

	/** Those that are forgotten are recorded again. */
	private static final int MOST = 10_000;

	private static final String REASON = "BODY_SHOWN";

	private final Map<String, Long> recorded = Collections.synchronizedMap(new LinkedHashMap<>() {

		@Override
		protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
			return size() > MOST;
		}

	});

	private final JdbcAuditLog audit;

	private final LongSupplier nanoTime;

	/**
	 * Creates the records.
	 * @param schema the tables
	 * @param application the application
	 */
	public BodyReads(LedgerSchema schema, String application) {
		this(new JdbcAuditLog(new ReplayTables(schema), application, schema.clock()), System::nanoTime);
	}

	BodyReads(JdbcAuditLog audit, LongSupplier nanoTime) {
		this.audit = audit;
		this.nanoTime = nanoTime;
	}

	/**
	 * Records a read before it happens.
	 * @param parkedId the message
	 * @param user who reads its body
	 * @throws org.springframework.dao.DataAccessException if that fails; then the body is
	 * not to be shown
	 */
	public void record(long parkedId, String user) {
		String read = parkedId + " " + user;
		long now = this.nanoTime.getAsLong();
		Long before = this.recorded.get(read);
		if (before == null || now - before >= BETWEEN_ENTRIES) {
			this.audit.add(AuditEntry.Action.READ_BODY,
					new OperatorAction(HeaderText.bounded(user, OperatorAction.LONGEST_USER), REASON),
					new JdbcAuditLog.Facts("ids=" + parkedId, null, 1, null, null));
			this.recorded.put(read, now);
		}
	}

}
