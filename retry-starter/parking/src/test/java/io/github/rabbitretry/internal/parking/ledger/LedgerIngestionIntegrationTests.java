/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.ledger;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import javax.sql.DataSource;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.github.rabbitretry.broker.Broker;
import io.github.rabbitretry.database.Database;
import io.github.rabbitretry.it.NestedHeader;
import io.github.rabbitretry.it.TestApplication;
import io.github.rabbitretry.it.TestBroker;
import io.github.rabbitretry.parking.message.Ledger;
import io.github.rabbitretry.parking.message.ParkedFilter;
import io.github.rabbitretry.parking.message.ParkedMessage;
import io.github.rabbitretry.parking.message.ParkedSummary;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;

class LedgerIngestionIntegrationTests {

	private final String queue = "ledger." + UUID.randomUUID();

	private final String parkingLot = this.queue + ".parking-lot";

	private final TestBroker broker = TestBroker.connect();

	@BeforeEach
	void declareParkingLot() throws Exception {
		this.broker.channel()
			.queueDeclare(this.parkingLot, true, false, false,
					Map.of("x-queue-type", "quorum", "x-delivery-limit", -1));
	}

	@AfterEach
	void deleteParkingLot() throws Exception {
		this.broker.channel().queueDelete(this.parkingLot);
		this.broker.close();
	}

	private static DataSource postgresql(Database database) {
		return new DriverManagerDataSource(database.createDatabase(), database.username(), database.password());
	}

	private static Ledger ledger(DataSource dataSource) {
		return new JdbcLedger(new LedgerSchema(dataSource, SchemaInitialization.NEVER));
	}

	private LedgerWorker worker(DataSource dataSource) {
		return new LedgerWorker(Broker.shared().amqpUri().toString(), dataSource, this.queue, 100);
	}

	private void awaitCount(Ledger ledger, long count) {
		Awaitility.await()
			.atMost(Duration.ofMinutes(1))
			.ignoreExceptions()
			.untilAsserted(() -> assertThat(ledger.count(ParkedFilter.ALL)).isEqualTo(count));
		Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> this.broker.ready(this.parkingLot) == 0);
	}

	@Test
	void aFormerParkingLotComesAndGoesAndItsMessagesAreOfThePolicysQueue() throws Exception {
		DataSource dataSource = postgresql(Database.shared());
		String former = this.queue + ".v0.parking-lot";
		try (LedgerWorker worker = worker(dataSource)) {
			this.broker.send(this.parkingLot, Parking.of("before").properties(), "{}");
			awaitCount(ledger(dataSource), 1);
			this.broker.channel().queueDeclare(former, true, false, false, Map.of("x-queue-type", "quorum"));
			this.broker.send(former, Parking.of("former").properties(), "{}");
			awaitCount(ledger(dataSource), 2);
			assertThat(ledger(dataSource).search(ParkedFilter.ALL.withMessageId("former"), null, 1).messages())
				.singleElement()
				.satisfies((parked) -> assertThat(parked.queue()).isEqualTo(this.queue));
			this.broker.channel().queueDelete(former);
			this.broker.send(this.parkingLot, Parking.of("after").properties(), "{}");
			awaitCount(ledger(dataSource), 3);
		}
		finally {
			this.broker.channel().queueDelete(former);
		}
	}

	@Test
	void noHostileMessageKeepsTheOthersOut() {
		DataSource dataSource = postgresql(Database.shared());
		Map<String, Object> wrong = new HashMap<>();
		for (String name : List.of("x-app-parked-at", "x-app-retry-attempt", "x-app-retry-reason", "x-app-message-type",
				"x-app-failure-fingerprint", "x-app-exception", "x-aggregate-id", "x-replay-id", "springBatchFormat")) {
			wrong.put(name, Map.of("nested", List.of(1, "\u0000")));
		}
		this.broker.send(this.parkingLot, new BasicProperties(), "by hand");
		this.broker.send(this.parkingLot, new BasicProperties(), "by hand");
		this.broker.send(this.parkingLot, new BasicProperties.Builder().headers(wrong).deliveryMode(77).build(), "");
		this.broker.send(this.parkingLot, new BasicProperties.Builder().messageId("a\u0000b")
			.correlationId("\u0000")
			.headers(Map.of("x-app-exception-message", "\u0000".repeat(60_000), "springBatchFormat", "lengthHeader4"))
			.build(), new byte[] { 0, 0, 0, 99 });
		this.broker.send(this.parkingLot, new BasicProperties.Builder().messageId("huge").build(),
				new byte[12 * 1024 * 1024]);
		this.broker.send(this.parkingLot, Parking.of("good").properties(), "{}");
		try (LedgerWorker worker = worker(dataSource)) {
			awaitCount(ledger(dataSource), 6);
		}
		ParkedMessage huge = ledger(dataSource)
			.find(ledger(dataSource).search(ParkedFilter.ALL.withMessageId("huge"), null, 1).messages().get(0).id())
			.orElseThrow();
		assertThat(huge.body()).hasSize(12 * 1024 * 1024);
		assertThat(ledger(dataSource).count(ParkedFilter.ALL.withMessageId("good"))).isEqualTo(1);
	}

	@Test
	void whileTheDatabaseIsAwayMessagesStayInTheirQueueAndNoneIsLost() {
		try (Database database = Database.start()) {
			if (!database.canControl()) {
				return;
			}
			DataSource dataSource = postgresql(database);
			try (LedgerWorker worker = worker(dataSource)) {
				this.broker.send(this.parkingLot, Parking.of("before").properties(), "{}");
				awaitCount(ledger(dataSource), 1);
				database.kill();
				for (int number = 0; number < 500; number++) {
					this.broker.send(this.parkingLot, Parking.of("m-" + number).properties(), "{}");
				}
				Awaitility.await()
					.untilAsserted(
							() -> assertThat(this.broker.ready(this.parkingLot)).as("what is not prefetched waits")
								.isEqualTo(300));
				database.startAgain();
				awaitCount(ledger(dataSource), 501);
			}
		}
	}

	@Test
	void aStopWhileTheDatabaseIsAwayGivesMessagesBack() {
		try (Database database = Database.start()) {
			if (!database.canControl()) {
				return;
			}
			DataSource dataSource = postgresql(database);
			LedgerWorker worker = worker(dataSource);
			try {
				database.kill();
				this.broker.send(this.parkingLot, Parking.of("m-1").properties(), "{}");
				Awaitility.await().until(() -> this.broker.ready(this.parkingLot) == 0);
			}
			finally {
				worker.close();
			}
			Awaitility.await().until(() -> this.broker.ready(this.parkingLot) == 1);
		}
	}

	@Test
	void anApplicationWithADatabaseHasItsParkedMessagesInTheLedger() throws Exception {
		// the application declares it, with its own arguments
		this.broker.channel().queueDelete(this.parkingLot);
		try (ConfigurableApplicationContext application = TestApplication.start(Application.class,
				"test.queue=" + this.queue, "rabbit-retry.message-policies.Order.queue=" + this.queue,
				"rabbit-retry.message-policies.Order.owner=team-orders",
				"rabbit-retry.message-policies.Order.broker-attempts=0",
				"rabbit-retry.message-policies.Order.local-attempts=1", "rabbit-retry.ledger.enabled=true",
				"spring.application.name=worker", "rabbit-retry.handler-version=worker:7",
				"spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID())) {
			this.broker.sendJson(this.queue, "m-1", Map.of("aggregate-id", "order-771"), "{\"total\":7}");
			Ledger ledger = application.getBean(Ledger.class);
			awaitCount(ledger, 1);
			ParkedSummary parked = ledger.search(ParkedFilter.ALL, null, 10).messages().get(0);
			assertThat(parked.messageId()).isEqualTo("m-1");
			assertThat(parked.aggregateId()).isEqualTo("order-771");
			assertThat(parked.owner()).isEqualTo("team-orders");
			assertThat(parked.handlerVersion()).isEqualTo("worker:7");
			assertThat(parked.exception()).contains("IllegalStateException");
			assertThat(parked.fingerprint()).hasSize(16);
			assertThat(ledger.find(parked.id()).orElseThrow().body()).asString().isEqualTo("{\"total\":7}");
		}
		for (String other : List.of("", ".dlq")) {
			this.broker.channel().queueDelete(this.queue + other);
		}
	}

	@Test
	void aMessageThatCanNotBeReceivedKeepsOnlyItsOwnQueueOut() throws Exception {
		String other = this.queue + ".other";
		this.broker.channel().queueDelete(this.parkingLot);
		try (ConfigurableApplicationContext application = TestApplication.start(Application.class,
				"test.queue=" + this.queue, "rabbit-retry.message-policies.Order.queue=" + this.queue,
				"rabbit-retry.message-policies.Other.queue=" + other, "rabbit-retry.ledger.enabled=true",
				"spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID())) {
			Ledger ledger = application.getBean(Ledger.class);
			NestedHeader.send(this.broker, this.parkingLot, "unreadable");
			for (int number = 0; number < 50; number++) {
				this.broker.sendJson(other + ".parking-lot", "m-" + number, Map.of(), "{}");
			}
			Awaitility.await()
				.atMost(Duration.ofMinutes(1))
				.untilAsserted(() -> assertThat(ledger.count(ParkedFilter.ALL)).isEqualTo(50));
			Awaitility.await()
				.atMost(Duration.ofSeconds(30))
				.until(() -> this.broker.ready(other + ".parking-lot") == 0);
			Awaitility.await().until(() -> this.broker.ready(this.parkingLot) == 1);
		}
		this.broker.deleteAll(this.queue);
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Application {

		@RabbitListener(queues = "${test.queue}")
		void handle(byte[] body) {
			throw new IllegalStateException("broken");
		}

	}

}
