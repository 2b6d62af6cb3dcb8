/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.deduplication;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import com.rabbitmq.client.Channel;
import io.github.rabbitretry.database.Database;
import io.github.rabbitretry.internal.parking.ledger.LedgerSchema;
import io.github.rabbitretry.internal.parking.ledger.SchemaInitialization;
import io.github.rabbitretry.it.JavaProcess;
import io.github.rabbitretry.it.TestBroker;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Workers are killed, and their messages delivered again: each has its effect once.
 */
class HandledOnceKilledIntegrationTests {

	private static final int MESSAGES = 10_000;

	private static final int KILLS = 20;

	private static final String QUEUE = "once.killed";

	private static final String ORDER = "--rabbit-retry.message-policies.Order.";

	private final String url = Database.shared().createDatabase();

	private final DriverManagerDataSource dataSource = new DriverManagerDataSource(this.url,
			Database.shared().username(), Database.shared().password());

	private final JdbcClient sql = JdbcClient.create(this.dataSource);

	@Test
	void eachOfTenThousandMessagesHasItsEffectOnceWhenTwentyWorkersAreKilled(@TempDir Path folder) throws Exception {
		long seed = new Random().nextLong();
		Random random = new Random(seed);
		new LedgerSchema(this.dataSource, SchemaInitialization.ALWAYS).prepare();
		this.sql.sql("create table effect (message_id varchar(255) not null)").update();
		this.sql.sql("create table duplicate_delivery (message_type varchar(255) not null)").update();
		try (TestBroker broker = TestBroker.connect()) {
			broker.deleteAll(QUEUE);
			for (int kill = 0; kill < KILLS; kill++) {
				long before = effects();
				JavaProcess worker = start(folder);
				try {
					if (kill == 0) {
						worker.await(() -> broker.isConsumed(QUEUE));
						publish(broker.channel());
					}
					worker.await(() -> effects() > before);
					Duration pause = Duration.ofMillis(random.nextInt(300));
					Awaitility.await().pollDelay(pause).until(() -> true);
				}
				finally {
					worker.kill();
				}
			}
			System.out.printf("%s: seed %d, %d of %d handled when the last one was killed%n", QUEUE, seed, effects(),
					MESSAGES);
			assertThat(effects()).as("handled when the last one was killed").isLessThan(MESSAGES);
			JavaProcess last = start(folder);
			try {
				Awaitility.await()
					.atMost(Duration.ofMinutes(5))
					.during(Duration.ofSeconds(2))
					.until(() -> effects() >= MESSAGES && underWay(broker) == 0);
			}
			finally {
				last.stop();
			}
			long duplicates = number("select count(*) from duplicate_delivery");
			System.out.printf("%s: %d effects, %d duplicate deliveries%n", QUEUE, effects(), duplicates);
			assertThat(underWay(broker)).isZero();
			assertThat(broker.ready(QUEUE + ".parking-lot")).as("parked").isZero();
			assertThat(number("select count(*) from rabbit_retry_parked")).as("parked, in the ledger").isZero();
			assertThat(number("select count(distinct message_id) from effect")).isEqualTo(MESSAGES);
			assertThat(effects()).as("effects").isEqualTo(MESSAGES);
			assertThat(duplicates).as("duplicate deliveries").isPositive();
			broker.deleteAll(QUEUE);
		}
	}

	private static long underWay(TestBroker broker) {
		return broker.ready(QUEUE) + broker.ready(QUEUE + ".retry.500ms");
	}

	private static void publish(Channel channel) throws Exception {
		for (int number = 0; number < MESSAGES; number++) {
			channel.basicPublish("", QUEUE, true, TestBroker.json("m-" + number).build(), new byte[0]);
			if (number % 1_000 == 999) {
				channel.waitForConfirmsOrDie(60_000);
			}
		}
	}

	private JavaProcess start(Path folder) {
		List<String> arguments = new ArrayList<>(TestBroker.arguments());
		arguments.addAll(List.of("--spring.datasource.url=" + this.url,
				"--spring.datasource.username=" + Database.shared().username(),
				"--spring.datasource.password=" + Database.shared().password(), "--spring.main.banner-mode=off",
				"--spring.flyway.enabled=false", "--spring.rabbitmq.listener.simple.concurrency=4",
				"--logging.level.io.github.rabbitretry.decisions=warn", "--once.queue=" + QUEUE,
				ORDER + "queue=" + QUEUE, ORDER + "retry-backoff=fixed", ORDER + "initial-delay=500ms",
				ORDER + "broker-attempts=20", ORDER + "local-attempts=1", ORDER + "deduplication.store=jdbc"));
		// what is prefetched counts as delivered to each worker that is killed, and would
		// be taken for poison and parked
		arguments.addAll(List.of(ORDER + "delivery-limit=1000", ORDER + "poison.quarantine-after=0"));
		return JavaProcess.start(OnceApplication.class, 256, folder, arguments);
	}

	private long effects() {
		return number("select count(*) from effect");
	}

	private long number(String query) {
		return this.sql.sql(query).query(Long.class).single();
	}

}
