/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.replay;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

import io.github.rabbitretry.internal.parking.ledger.LedgerSchema;
import io.github.rabbitretry.internal.parking.ledger.SchemaInitialization;
import io.github.rabbitretry.parking.replay.AuditEntry;
import io.github.rabbitretry.parking.replay.AuditFilter;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class BodyReadsTests {

	@Test
	void aUserIsRecordedForEachMessageButNotForEachLook() {
		JdbcDataSource dataSource = new JdbcDataSource();
		dataSource.setUrl("jdbc:h2:mem:%s;DB_CLOSE_DELAY=-1".formatted(UUID.randomUUID()));
		LedgerSchema schema = new LedgerSchema(dataSource, SchemaInitialization.ALWAYS);
		schema.prepare();
		JdbcAuditLog audit = new JdbcAuditLog(new ReplayTables(schema), "orders", schema.clock());
		AtomicLong time = new AtomicLong(Long.MAX_VALUE);
		BodyReads reads = new BodyReads(audit, time::get);
		reads.record(17, "olivia");
		reads.record(17, "olivia");
		reads.record(18, "olivia");
		reads.record(17, "o".repeat(1000));
		time.addAndGet(Duration.ofMinutes(9).toNanos());
		reads.record(17, "olivia");
		assertThat(audit.entries(AuditFilter.ALL, null, 10)).extracting(AuditEntry::selection)
			.containsExactly("ids=17", "ids=18", "ids=17");
		time.addAndGet(Duration.ofMinutes(1).toNanos());
		reads.record(17, "olivia");
		assertThat(audit.entries(AuditFilter.ALL, null, 10)).hasSize(4)
			.first()
			.satisfies((entry) -> assertThat(entry.user()).isEqualTo("olivia"))
			.satisfies((entry) -> assertThat(entry.what()).isEqualTo(AuditEntry.Action.READ_BODY));
	}

}
