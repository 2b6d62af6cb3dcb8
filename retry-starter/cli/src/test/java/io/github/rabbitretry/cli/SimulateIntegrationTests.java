/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

import io.github.rabbitretry.broker.Broker;
import io.github.rabbitretry.database.Database;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The simulator of a running service, and what changed rules would have decided about
 * what a real ledger holds.
 */
class SimulateIntegrationTests {

	private static final String QUEUE = "cli.simulated";

	@TempDir
	private Path folder = Path.of("");

	@AfterEach
	void deleteQueues() {
		Broker.shared().management().deleteAll(QUEUE);
	}

	private static Shell.Result run(String... arguments) {
		return new Shell(new ServiceConnector((note) -> {
		})).realTime().run(arguments);
	}

	private static JsonNode json(Shell.Result result) {
		assertThat(result.exitCode()).as(result.err()).isZero();
		return JsonMapper.shared().readTree(result.out());
	}

	@Test
	void aLedgerTellsWhatOtherRulesWouldDecide() throws Exception {
		String database = Database.shared().createDatabase();
		Path config = OrderService.config(this.folder.resolve("application.yml"), QUEUE,
				Broker.shared().amqpUri().toString(), """
						  datasource.url: %s
						  datasource.username: %s
						  datasource.password: %s
						""".formatted(database, Database.shared().username(), Database.shared().password()), "");
		Path changed = Files.writeString(this.folder.resolve("changed.yml"),
				Files.readString(config)
					.replace("permanent-business", "transient")
					.replace("NO_SUCH_ORDER", "ORDER_COMES_LATER")
					.replace("broker-attempts: 0", "broker-attempts: 3"));
		try (Queues queues = new Queues(); OrderService service = OrderService.start(config)) {
			OrderService.broken = true;
			queues.send(QUEUE, 3);
			JdbcClient jdbc = JdbcClient.create(
					new DriverManagerDataSource(database, Database.shared().username(), Database.shared().password()));
			await().atMost(Duration.ofSeconds(30))
				.until(() -> jdbc.sql("select count(*) from rabbit_retry_parked").query(Long.class).single() == 3);
			JsonNode group = json(run("simulate", "--against", "ledger", "--output", "json", "--url", service.url(),
					"--compare", changed.toString()))
				.path("groups")
				.path(0);
			assertThat(group.path("reason").asString()).isEqualTo("NO_SUCH_ORDER");
			assertThat(group.path("newReason").asString()).isEqualTo("ORDER_COMES_LATER");
			assertThat(group.path("decision").asString()).isEqualTo("retry");
			assertThat(group.path("changed").asBoolean()).isTrue();
			assertThat(group.path("count").asLong()).isEqualTo(3);
		}
	}

}
