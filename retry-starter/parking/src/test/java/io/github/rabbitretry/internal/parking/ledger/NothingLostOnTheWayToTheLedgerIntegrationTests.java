/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.ledger;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

import com.rabbitmq.client.Channel;
import io.github.rabbitretry.broker.Broker;
import io.github.rabbitretry.database.Database;
import io.github.rabbitretry.it.JavaProcess;
import io.github.rabbitretry.it.TestBroker;
import io.github.rabbitretry.parking.message.ParkedFilter;
import io.github.rabbitretry.parking.message.ParkedSummary;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is acknowledged is stored: the rows and what is in the queue are what was sent.
 */
class NothingLostOnTheWayToTheLedgerIntegrationTests {

	private static final int BATCH = 100;

	private final String queue = "ledger.safe." + UUID.randomUUID();

	private final String parkingLot = this.queue + ".parking-lot";

	private final TestBroker broker = TestBroker.connect();

	private final String url = Database.shared().createDatabase();

	private final DriverManagerDataSource dataSource = new DriverManagerDataSource(this.url,
			Database.shared().username(), Database.shared().password());

	private final JdbcClient sql = JdbcClient.create(this.dataSource);

	@BeforeEach
	void declareParkingLot() throws Exception {
		this.broker.channel()
			.queueDeclare(this.parkingLot, true, false, false,
					Map.of("x-queue-type", "quorum", "x-delivery-limit", -1));
		new LedgerSchema(this.dataSource, SchemaInitialization.ALWAYS).prepare();
	}

	@AfterEach
	void deleteParkingLot() throws Exception {
		this.broker.channel().queueDelete(this.parkingLot);
		this.broker.close();
	}

	private void publish(int from, int to, byte[] body) throws Exception {
		Channel channel = this.broker.channel();
		for (int number = from; number < to; number++) {
			channel.basicPublish("", this.parkingLot, true, Parking.of("m-" + number).properties(), body);
		}
		channel.waitForConfirmsOrDie(60_000);
	}

	private long stored() {
		return this.sql.sql("select count(*) from rabbit_retry_parked").query(Long.class).single();
	}

	private void awaitStored(long count) {
		Awaitility.await().atMost(Duration.ofMinutes(1)).untilAsserted(() -> assertThat(stored()).isEqualTo(count));
		Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> this.broker.ready(this.parkingLot) == 0);
	}

	@Test
	void aBatchThatWasNotStoredIsNotAcknowledgedByTheNextOne() throws Exception {
		AtomicInteger failures = new AtomicInteger();
		AtomicInteger toFail = new AtomicInteger();
		DelegatingDataSource away = new DelegatingDataSource(this.dataSource) {
			@Override
			public Connection getConnection() throws SQLException {
				if (toFail.getAndUpdate((left) -> Math.max(0, left - 1)) > 0) {
					failures.incrementAndGet();
					throw new SQLException("the database is away");
				}
				return super.getConnection();
			}
		};
		publish(0, 400, new byte[16]);
		LedgerWorker worker = new LedgerWorker(Broker.shared().amqpUri().toString(), away, this.queue, BATCH) {
			@Override
			void beforeStart() {
				toFail.set(1);
			}
		};
		try {
			Awaitility.await().pollInterval(Duration.ofMillis(5)).until(() -> failures.get() == 1);
		}
		finally {
			worker.close();
		}
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.untilAsserted(() -> assertThat(this.broker.ready(this.parkingLot) + stored()).isEqualTo(400));
	}

	@Test
	void aStopLeavesEachMessageEitherInTheLedgerOrInTheQueue() throws Exception {
		// more than are stored before a busy machine comes to the stop
		int messages = 10_000;
		publish(0, messages, new byte[16]);
		try (LedgerWorker worker = new LedgerWorker(Broker.shared().amqpUri().toString(), this.dataSource, this.queue,
				10)) {
			Awaitility.await().pollInterval(Duration.ofMillis(5)).until(() -> stored() >= 100);
		}
		long stored = stored();
		assertThat(stored).isLessThan(messages);
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.untilAsserted(() -> assertThat(this.broker.ready(this.parkingLot)).isEqualTo(messages - stored));
		try (LedgerWorker worker = new LedgerWorker(Broker.shared().amqpUri().toString(), this.dataSource, this.queue,
				BATCH)) {
			awaitStored(messages);
		}
	}

	@Test
	void messagesWithUnencodablePropertiesAreStoredAndCostNoOther() throws Exception {
		List<Integer> properties = List.of(UnencodableProperties.CONTENT_TYPE, UnencodableProperties.CORRELATION_ID,
				UnencodableProperties.REPLY_TO, UnencodableProperties.MESSAGE_ID, UnencodableProperties.TYPE,
				UnencodableProperties.APP_ID, UnencodableProperties.HEADERS);
		int each = 210;
		for (int index = 0; index < properties.size(); index++) {
			publish(index * each, (index + 1) * each - 1, new byte[16]);
			this.broker.channel()
				.basicPublish("", this.parkingLot, true, new UnencodableProperties(properties.get(index)),
						("body-" + index).getBytes());
		}
		this.broker.channel().waitForConfirmsOrDie(60_000);
		try (LedgerWorker worker = new LedgerWorker(Broker.shared().amqpUri().toString(), this.dataSource, this.queue,
				BATCH)) {
			awaitStored(properties.size() * each);
		}
		assertThat(
				this.sql.sql("select count(distinct message_id) from rabbit_retry_parked where message_id like 'm-%'")
					.query(Long.class)
					.single())
			.isEqualTo(properties.size() * (each - 1));
		JdbcLedger ledger = new JdbcLedger(new LedgerSchema(this.dataSource, SchemaInitialization.NEVER));
		List<ParkedSummary> unreadable = ledger.search(ParkedFilter.ALL.withReason("UNREADABLE"), null, 10).messages();
		assertThat(unreadable).hasSize(properties.size());
		assertThat(unreadable).extracting((summary) -> new String(ledger.find(summary.id()).orElseThrow().body()))
			.containsExactlyInAnyOrder("body-0", "body-1", "body-2", "body-3", "body-4", "body-5", "body-6");
	}

	@Test
	void largeBodiesDoNotFillTheHeapWhetherTheyAreThereOrArrive(@TempDir Path folder) throws Exception {
		byte[] large = new byte[1_500_000];
		publish(0, 100, large);
		JavaProcess worker = JavaProcess.start(LedgerWorker.class, 128, folder,
				List.of(Broker.shared().amqpUri().toString(), this.url, Database.shared().username(),
						Database.shared().password(), this.queue, "200"));
		try {
			worker.await(() -> stored() == 100);
			// small ones make it take many at once again
			publish(100, 5_000, new byte[16]);
			worker.await(() -> stored() == 5_000);
			publish(5_000, 5_100, large);
			worker.await(() -> stored() == 5_100 && this.broker.ready(this.parkingLot) == 0);
		}
		finally {
			worker.stop();
		}
		assertThat(stored() + this.broker.ready(this.parkingLot)).isEqualTo(5_100);
	}

}
