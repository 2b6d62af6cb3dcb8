/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.ledger;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;

import com.rabbitmq.client.Channel;
import io.github.rabbitretry.broker.Broker;
import io.github.rabbitretry.database.Database;
import io.github.rabbitretry.it.JavaProcess;
import io.github.rabbitretry.it.TestBroker;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;

class LedgerWorkerKilledIntegrationTests {

	private static final int MESSAGES = 5_000;

	private static final int KILLS = 10;

	private static final String QUEUE = "ledger.killed";

	private static final String PARKING_LOT = QUEUE + ".parking-lot";

	private final String url = Database.shared().createDatabase();

	private final JdbcClient jdbc = JdbcClient
		.create(new DriverManagerDataSource(this.url, Database.shared().username(), Database.shared().password()));

	@Test
	void eachMessageIsInTheLedgerOnceWhenTheWorkerIsKilledTenTimes(@TempDir Path folder) throws Exception {
		long seed = new Random().nextLong();
		Random random = new Random(seed);
		System.out.printf("%s: seed %d%n", QUEUE, seed);
		new LedgerSchema(
				new DriverManagerDataSource(this.url, Database.shared().username(), Database.shared().password()),
				SchemaInitialization.ALWAYS)
			.prepare();
		try (TestBroker broker = TestBroker.connect()) {
			publish(broker.channel());
			for (int kill = 0; kill < KILLS; kill++) {
				long before = stored();
				JavaProcess worker = start(folder, 10);
				try {
					worker.await(() -> stored() > before);
					Duration pause = Duration.ofMillis(random.nextInt(300));
					Awaitility.await().pollDelay(pause).until(() -> true);
				}
				finally {
					worker.kill();
				}
			}
			assertThat(stored()).as("stored when the last one was killed").isLessThan(MESSAGES);
			System.out.printf("%s: %d of %d stored when the last one was killed%n", QUEUE, stored(), MESSAGES);
			JavaProcess last = start(folder, 200);
			try {
				Awaitility.await()
					.atMost(Duration.ofMinutes(2))
					.until(() -> stored() >= MESSAGES && broker.ready(PARKING_LOT) == 0);
			}
			finally {
				last.stop();
			}
			assertThat(broker.ready(PARKING_LOT)).as("nothing is given back").isZero();
			assertThat(stored()).isEqualTo(MESSAGES);
			assertThat(number("select count(distinct message_id) from rabbit_retry_parked")).isEqualTo(MESSAGES);
			assertThat(number("select count(*) from rabbit_retry_parked_content")).isEqualTo(MESSAGES);
			broker.channel().queueDelete(PARKING_LOT);
		}
	}

	private static void publish(Channel channel) throws Exception {
		channel.queueDelete(PARKING_LOT);
		channel.queueDeclare(PARKING_LOT, true, false, false, Map.of("x-queue-type", "quorum", "x-delivery-limit", -1));
		for (int number = 0; number < MESSAGES; number++) {
			channel.basicPublish("", PARKING_LOT, true, Parking.of("m-" + number).properties(), new byte[256]);
		}
		channel.waitForConfirmsOrDie(60_000);
	}

	private JavaProcess start(Path folder, int batchSize) {
		return JavaProcess.start(LedgerWorker.class, 128, folder,
				List.of(Broker.shared().amqpUri().toString(), this.url, Database.shared().username(),
						Database.shared().password(), QUEUE, String.valueOf(batchSize)));
	}

	private long stored() {
		return number("select count(*) from rabbit_retry_parked");
	}

	private long number(String sql) {
		List<Long> numbers = this.jdbc.sql(sql).query(Long.class).list();
		return numbers.get(0);
	}

}
