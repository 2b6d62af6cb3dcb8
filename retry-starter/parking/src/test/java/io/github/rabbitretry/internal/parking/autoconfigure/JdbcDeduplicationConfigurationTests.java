/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.autoconfigure;

import java.util.UUID;

import javax.sql.DataSource;

import io.github.rabbitretry.internal.autoconfigure.StartReport;
import io.github.rabbitretry.internal.deduplication.Deduplicators;
import io.github.rabbitretry.internal.parking.deduplication.JdbcDeduplicator;
import io.github.rabbitretry.internal.parking.ledger.HandledMessages;
import io.github.rabbitretry.internal.parking.ledger.LedgerMaintenance;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What {@code deduplication.store: jdbc} needs.
 */
class JdbcDeduplicationConfigurationTests {

	private static final String STORE = "rabbit-retry.message-policies.Order.deduplication.store";

	private final DataSource database = database();

	private final ApplicationContextRunner application = StartReport.application()
		.withConfiguration(AutoConfigurations.of(RabbitRetryParkingPropertiesAutoConfiguration.class,
				RabbitRetryLedgerAutoConfiguration.class, DataSourceTransactionManagerAutoConfiguration.class))
		.withPropertyValues(STORE + "=jdbc");

	private final ApplicationContextRunner withLedger = this.application.withBean(DataSource.class, () -> this.database)
		.withPropertyValues("rabbit-retry.ledger.enabled=true", "rabbit-retry.ledger.ingest=false");

	@Test
	void theLedgersDatabaseAndTheApplicationsTransactionsAreUsed() {
		this.withLedger.run((context) -> {
			assertThat(context).hasSingleBean(PlatformTransactionManager.class);
			assertThat(context.getBean(Deduplicators.class)
				.of(context.getBean(MessagePolicies.class).all().iterator().next()))
				.isInstanceOf(JdbcDeduplicator.class);
			assertThat(context.getBean(LedgerMaintenance.class).isRunning()).isTrue();
		});
	}

	@Test
	void withoutItNothingIsDeleted() {
		this.withLedger.withPropertyValues(STORE + "=none")
			.run((context) -> assertThat(
					context.getBean(HandledMessages.class).tasks(context.getBean(MessagePolicies.class)))
				.isEmpty());
	}

	@Test
	void withoutALedgerTheStartFails() {
		this.withLedger.withPropertyValues("rabbit-retry.ledger.enabled=false")
			.run((context) -> assertFailed(context, "needs the ledger's database, and there is no ledger",
					"don't set rabbit-retry.ledger.enabled to false"));
	}

	@Test
	void withALedgerInMemoryTheStartFails() {
		this.application.withBean(DataSource.class, () -> this.database)
			.run((context) -> assertFailed(context, "needs a database that outlives the process",
					"Use in-memory or another database"));
	}

	@Test
	void withSeveralTransactionManagersTheStartFails() {
		this.withLedger
			.withBean("one", PlatformTransactionManager.class, () -> new JdbcTransactionManager(this.database))
			.withBean("two", PlatformTransactionManager.class, () -> new JdbcTransactionManager(this.database))
			.run((context) -> assertFailed(context, "needs one transaction manager for handlers",
					"Mark that of the ledger's DataSource as @Primary"));
	}

	@Test
	void withTransactionsOfAnotherDatabaseTheStartFails() {
		this.withLedger.withBean(PlatformTransactionManager.class, () -> new JdbcTransactionManager(database()))
			.run((context) -> assertFailed(context, "needs transactions of the ledger's DataSource",
					"rabbit-retry.ledger.data-source"));
	}

	private static void assertFailed(AssertableApplicationContext context, String relation, String remedy) {
		assertThat(context).hasFailed();
		FailureAnalysis analysis = StartReport.explain(context.getStartupFailure());
		assertThat(analysis.getDescription()).contains(STORE).contains("jdbc").contains(relation);
		assertThat(analysis.getAction()).contains(remedy);
	}

	private static DataSource database() {
		JdbcDataSource dataSource = new JdbcDataSource();
		dataSource.setUrl("jdbc:h2:mem:%s;DB_CLOSE_DELAY=-1".formatted(UUID.randomUUID()));
		return dataSource;
	}

}
