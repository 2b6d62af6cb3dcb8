/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.autoconfigure;

import javax.sql.DataSource;

import io.github.rabbitretry.internal.parking.deduplication.HandledMessageRetention;
import io.github.rabbitretry.internal.parking.ledger.LedgerSchema;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.topology.InvalidConfigurationException;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * The transactions that handlers run in, of policies with {@code deduplication.store}
 * jdbc.
 */
final class DeduplicationTransactions {

	private DeduplicationTransactions() {
	}

	/** Those of the application, which a handler's own join. */
	static PlatformTransactionManager of(MessagePolicies policies, LedgerSchema schema, DataSource dataSource,
			ObjectProvider<PlatformTransactionManager> managers) {
		if (schema.unused()) {
			throw invalid(policies, "needs a database that outlives the process, and the ledger's is in memory",
					"Use in-memory or another database; or set rabbit-retry.ledger.enabled to true.");
		}
		PlatformTransactionManager unique = managers.getIfUnique();
		if (unique != null) {
			return unique;
		}
		if (managers.stream().findAny().isPresent()) {
			throw invalid(policies, "needs one transaction manager for handlers, and there is more than one",
					"Mark that of the ledger's DataSource as @Primary, or define a MessageDeduplicator bean and use bean.");
		}
		return new JdbcTransactionManager(dataSource);
	}

	/** The first property that asks for them. */
	static String property(MessagePolicies policies) {
		return "rabbit-retry.message-policies.%s.deduplication.store".formatted(policies.all()
			.stream()
			.filter(HandledMessageRetention::inDatabase)
			.map(MessagePolicy::messageType)
			.findFirst()
			.orElse("*"));
	}

	private static InvalidConfigurationException invalid(MessagePolicies policies, String relation, String remedy) {
		return new InvalidConfigurationException(property(policies), "jdbc", relation, remedy);
	}

}
