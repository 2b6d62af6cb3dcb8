/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.ledger;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.github.rabbitretry.database.Database;
import io.github.rabbitretry.internal.policy.InvalidPolicyException;
import io.github.rabbitretry.parking.message.ParkedFilter;
import io.github.rabbitretry.parking.message.ParkedSummary;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * The ledger's scripts as Flyway migrations of an application, on PostgreSQL.
 */
class FlywayLedgerIntegrationTests {

	/** The application has a migration of its own before ours. */
	private static final int OWN = 1;

	private final String database = Database.shared().createDatabase();

	@TempDir
	private Path migrations;

	@Test
	void theScriptsAreMigrations() {
		addMigrations(LedgerSchema.VERSION);
		assertThat(getClass().getResource(script(LedgerSchema.VERSION + 1))).as("all scripts are known").isNull();
		try (ConfigurableApplicationContext application = start()) {
			StoredMessages.store(application.getBean(DataSource.class), "m-1");
			assertThat(application.getBean(Ledger.class)
				.search(ParkedFilter.ALL.withOwner("team-orders"), null, 10)
				.messages()).extracting(ParkedSummary::messageId).containsExactly("m-1");
			assertThat(application.getBean(JdbcClient.class)
				.sql("select description from flyway_schema_history order by installed_rank")
				.query(String.class)
				.list()).hasSize(OWN + LedgerSchema.VERSION)
				.startsWith("orders")
				.endsWith("rabbit retry " + LedgerSchema.VERSION);
		}
		start().close();
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1 })
	void theStartStopsIfScriptsAreMissing(int applied) {
		addMigrations(applied);
		assertThatException().isThrownBy(this::start)
			.havingRootCause()
			.isInstanceOf(InvalidPolicyException.class)
			.withMessageContaining("rabbit-retry.ledger.create-tables")
			.withMessageContaining("version %d of %d".formatted(applied, LedgerSchema.VERSION))
			.withMessageContaining(script(applied + 1))
			.withMessageContaining(script(LedgerSchema.VERSION));
		assertThat(tables()).contains("orders").doesNotContain("rabbit_retry_replay_job");
	}

	private void addMigrations(int last) {
		try {
			Files.writeString(this.migrations.resolve("V1__orders.sql"),
					"create table orders (id bigint primary key);");
			for (int version = 1; version <= last; version++) {
				try (InputStream script = getClass().getResourceAsStream(script(version))) {
					Files.copy(script,
							this.migrations.resolve("V%d__rabbit_retry_%d.sql".formatted(OWN + version, version)));
				}
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String script(int version) {
		return "schema-%d-postgresql.sql".formatted(version);
	}

	private List<String> tables() {
		return JdbcClient
			.create(new DriverManagerDataSource(this.database, Database.shared().username(),
					Database.shared().password()))
			.sql("select table_name from information_schema.tables where table_schema = 'public'")
			.query(String.class)
			.list();
	}

	private ConfigurableApplicationContext start() {
		// nobody listens at port 1
		return new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.run(Stream
				.of("spring.rabbitmq.host=127.0.0.1", "spring.rabbitmq.port=1", "rabbit-retry.topology.mode=none",
						"rabbit-retry.triage.enabled=false", "spring.datasource.url=" + this.database,
						"spring.datasource.username=" + Database.shared().username(),
						"spring.datasource.password=" + Database.shared().password(), "spring.flyway.enabled=true",
						"spring.flyway.locations=filesystem:" + this.migrations,
						"rabbit-retry.ledger.create-tables=false", "rabbit-retry.ledger.ingest=false",
						"rabbit-retry.message-policies.Order.owner=team-orders")
				.map("--"::concat)
				.toArray(String[]::new));
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
