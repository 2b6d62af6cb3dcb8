/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample;

import java.net.URI;
import java.time.Duration;
import java.util.List;

import javax.sql.DataSource;

import io.github.rabbitretry.broker.Broker;
import io.github.rabbitretry.database.Database;
import io.github.rabbitretry.sample.outside.Operator;
import io.github.rabbitretry.sample.outside.ParkedOrder;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.core.MessageBuilder;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The worker as it would run in production: with a PostgreSQL that its environment names.
 */
class PostgresqlProfileIntegrationTests {

	@AfterEach
	void deleteQueues() {
		ParkedOrdersIntegrationTests.deleteQueues();
	}

	@Test
	void parkedOrdersAreInPostgresql() {
		Database database = Database.shared();
		URI url = URI.create(database.createDatabase().substring("jdbc:".length()));
		try (ConfigurableApplicationContext worker = new SpringApplicationBuilder(OrderWorkerApplication.class).run(
				"--spring.profiles.active=postgresql", "--PGHOST=" + url.getHost(), "--PGPORT=" + url.getPort(),
				"--PGDATABASE=" + url.getPath().substring(1), "--PGUSER=" + database.username(),
				"--PGPASSWORD=" + database.password(), "--server.port=0",
				"--spring.rabbitmq.addresses=" + Broker.shared().amqpUri())) {
			RabbitTemplate template = worker.getBean(RabbitTemplate.class);
			template.send("order.command", "order.command.create",
					MessageBuilder.withBody("{".getBytes())
						.setContentType("application/json")
						.setMessageId("malformed-1")
						.build());
			String port = worker.getEnvironment().getRequiredProperty("local.server.port");
			Operator operator = new Operator(URI.create("http://127.0.0.1:" + port), (line) -> {
			});
			List<ParkedOrder> parked = Awaitility.await()
				.atMost(Duration.ofSeconds(30))
				.until(operator::ledger, (orders) -> !orders.isEmpty());
			assertThat(parked).containsExactly(new ParkedOrder("malformed-1", "DESERIALIZATION_FAILED", 0, "PARKED"));
			assertThat(
					new JdbcTemplate(worker.getBean(DataSource.class)).queryForObject("select version()", String.class))
				.startsWith("PostgreSQL");
		}
	}

}
