/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.chaos;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;

import com.rabbitmq.client.Connection;
import io.github.rabbitretry.broker.Broker;
import io.github.rabbitretry.internal.handover.ConfirmedPublishers;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

class ConnectionsCutIntegrationTests {

	/** More than two consumers handle until the next cut. */
	private static final int READY = 2_500;

	/** The prefetch count of two listeners and of the dead letters' consumer. */
	private static final int UNACKNOWLEDGED = 3 * 250;

	@Test
	void nothingIsLostWhenThePublishingConnectionIsCutAgainAndAgain(@TempDir Path folder) throws Exception {
		try (ChaosRun run = new ChaosRun(Broker.shared(), folder, "chaos.cut.publisher")) {
			run.declare();
			run.publish(ChaosRun.numbers(0, 20_000));
			int cuts = 30;
			try (ConfigurableApplicationContext worker = run.start("--chaos.work-micros=500")) {
				ConnectionFactory publisher = worker.getBean(CachingConnectionFactory.class)
					.getPublisherConnectionFactory();
				cut(run, publisher, cuts, 200);
				settle(run, worker);
			}
			assertThat(run.underWay()).isZero();
			ChaosAccount account = run.account();
			account.assertNothingIsLost();
			// a cut loses the confirms of at most all copies on their way
			assertThat(account.duplicates()).isBetween(0, cuts * UNACKNOWLEDGED);
		}
	}

	@Test
	void nothingIsLostWhenTheConsumingConnectionIsCutAgainAndAgain(@TempDir Path folder) throws Exception {
		try (ChaosRun run = new ChaosRun(Broker.shared(), folder, "chaos.cut.consumer")) {
			run.declare();
			run.keepBusy(READY);
			int cuts = 15;
			try (ConfigurableApplicationContext worker = run.start("--chaos.work-micros=500")) {
				cut(run, worker.getBean(CachingConnectionFactory.class), cuts, 400);
				settle(run, worker);
			}
			assertThat(run.underWay()).isZero();
			ChaosAccount account = run.account();
			account.assertNothingIsLost();
			assertThat(account.duplicates()).isBetween(0, cuts * UNACKNOWLEDGED);
		}
	}

	private static void cut(ChaosRun run, ConnectionFactory factory, int cuts, int millis) {
		Random random = run.random();
		for (int cut = 0; cut < cuts; cut++) {
			run.keepBusy(READY);
			ChaosRun.pause(Duration.ofMillis(millis / 2 + random.nextInt(millis)));
			Connection connection = factory.createConnection().getDelegate();
			assertThat(connection).isNotNull();
			connection.abort();
		}
		assertThat(run.underWay()).as("messages left after the last cut").isPositive();
		run.say("%d messages ready after the last of %d cuts".formatted(run.underWay(), cuts));
	}

	private static void settle(ChaosRun run, ConfigurableApplicationContext worker) {
		run.awaitCalm();
		Awaitility.await()
			.atMost(Duration.ofMinutes(1))
			.until(() -> worker.getBean(ConfirmedPublishers.class).pending(ChaosRun.TYPE) == 0);
		run.awaitCalm();
	}

}
