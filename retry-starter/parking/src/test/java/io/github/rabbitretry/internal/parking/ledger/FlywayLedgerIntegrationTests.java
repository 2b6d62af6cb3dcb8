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
import io.github.rabbitretry.internal.topology.InvalidConfigurationException;
import io.github.rabbitretry.parking.message.Ledger;
import io.github.rabbitretry.parking.message.ParkedFilter;
import io.github.rabbitretry.parking.message.ParkedSummary;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
 * The ledger's script as a Flyway migration of an application, on PostgreSQL.
 */
class FlywayLedgerIntegrationTests {

	private static final String LOCATION = "classpath:io/github/rabbitretry/parking/schema";

	private final String database = Database.shared().createDatabase();

	@TempDir
	private Path migrations;

	@Test
	void theLocationHoldsAMigration() {
		ownMigration("V2__orders.sql");
		try (ConfigurableApplicationContext application = start(LOCATION + ",filesystem:" + this.migrations)) {
			assertThatItIsUsed(application, "rabbit retry ledger", "rabbit retry ledger counts", "orders");
		}
		start(LOCATION + ",filesystem:" + this.migrations).close();
	}

	@Test
	void theScriptCopiedIsAMigrationUnderAnyVersion() throws IOException {
		ownMigration("V1__orders.sql");
		int version = 2;
		for (String name : LedgerDialect.POSTGRESQL.scripts()) {
			try (InputStream script = getClass().getClassLoader().getResourceAsStream(name)) {
				Files.copy(script, this.migrations.resolve("V%d__rabbit_retry.sql".formatted(version++)));
			}
		}
		try (ConfigurableApplicationContext application = start("filesystem:" + this.migrations)) {
			assertThatItIsUsed(application, "orders", "rabbit retry", "rabbit retry");
		}
	}

	private static void assertThatItIsUsed(ConfigurableApplicationContext application, String... migrations) {
		StoredMessages.store(application.getBean(DataSource.class), "m-1");
		assertThat(application.getBean(Ledger.class)
			.search(ParkedFilter.ALL.withOwner("team-orders"), null, 10)
			.messages()).extracting(ParkedSummary::messageId).containsExactly("m-1");
		assertThat(application.getBean(JdbcClient.class)
			.sql("select description from flyway_schema_history order by installed_rank")
			.query(String.class)
			.list()).containsExactly(migrations);
	}

	@Test
	void startupFailsIfTheScriptIsMissing() {
		ownMigration("V1__orders.sql");
		assertThatException().isThrownBy(() -> start("filesystem:" + this.migrations))
			.havingRootCause()
			.isInstanceOf(InvalidConfigurationException.class)
			.withMessageContaining("rabbit-retry.ledger.initialize-schema")
			.withMessageContaining("version 1 of the ledger's tables and finds none")
			.withMessageContaining("classpath:" + LedgerDialect.POSTGRESQL.scripts().get(0))
			.withMessageContaining(LOCATION + ".");
		assertThat(tables()).contains("orders").noneMatch((table) -> table.startsWith("rabbit_retry"));
	}

	private void ownMigration(String name) {
		try {
			Files.writeString(this.migrations.resolve(name), "create table orders (id bigint primary key);");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private List<String> tables() {
		return JdbcClient
			.create(new DriverManagerDataSource(this.database, Database.shared().username(),
					Database.shared().password()))
			.sql("select table_name from information_schema.tables where table_schema = 'public'")
			.query(String.class)
			.list();
	}

	private ConfigurableApplicationContext start(String locations) {
		// nothing listens at port 1
		return new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.run(Stream
				.of("spring.rabbitmq.host=127.0.0.1", "spring.rabbitmq.port=1", "rabbit-retry.topology.mode=none",
						"rabbit-retry.dead-letter-consumer.enabled=false", "spring.datasource.url=" + this.database,
						"spring.datasource.username=" + Database.shared().username(),
						"spring.datasource.password=" + Database.shared().password(), "spring.flyway.enabled=true",
						"spring.flyway.locations=" + locations, "rabbit-retry.ledger.ingest=false",
						"rabbit-retry.message-policies.Order.owner=team-orders")
				.map("--"::concat)
				.toArray(String[]::new));
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
