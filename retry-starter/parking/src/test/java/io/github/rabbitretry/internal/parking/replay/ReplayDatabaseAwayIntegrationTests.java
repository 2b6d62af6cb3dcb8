/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.replay;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

import com.rabbitmq.client.Channel;
import io.github.rabbitretry.broker.Broker;
import io.github.rabbitretry.database.Database;
import io.github.rabbitretry.internal.parking.ledger.LedgerSchema;
import io.github.rabbitretry.internal.parking.ledger.SchemaInitialization;
import io.github.rabbitretry.internal.policy.TestPolicy;
import io.github.rabbitretry.internal.topology.MessageTopology;
import io.github.rabbitretry.it.TestBroker;
import io.github.rabbitretry.parking.message.ParkedFilter;
import io.github.rabbitretry.parking.replay.OperatorAction;
import io.github.rabbitretry.parking.replay.ReplayJob;
import io.github.rabbitretry.parking.replay.ReplayOptions;
import io.github.rabbitretry.parking.replay.ReplayRequest;
import io.github.rabbitretry.parking.replay.Selection;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;

class ReplayDatabaseAwayIntegrationTests {

	private static final int MESSAGES = 2_000;

	private final MessageTopology topology = TestPolicy.order().build().topology();

	@Test
	void aReplayGoesOnAfterTheDatabaseWasAway() throws Exception {
		try (Database database = Database.start(); TestBroker broker = TestBroker.connect()) {
			Assumptions.assumeTrue(database.canControl(), database::description);
			DriverManagerDataSource dataSource = new DriverManagerDataSource(database.createDatabase(),
					database.username(), database.password());
			new LedgerSchema(dataSource, SchemaInitialization.ALWAYS).prepare();
			ParkedTable.fill(JdbcClient.create(dataSource), MESSAGES);
			declare(broker.channel());
			try (ReplayProcess replays = new ReplayProcess(Broker.shared().amqpUri().toString(),
					String.valueOf(dataSource.getUrl()), database.username(), database.password())) {
				replays.start();
				ReplayJob job = replays.service()
					.start(new ReplayRequest(Selection.of(ParkedFilter.ALL),
							ReplayOptions.unthrottled(MESSAGES).withRate(500.0, Duration.ZERO),
							new OperatorAction("ops", "fixed")));
				Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> broker.ready("order") > 200);
				database.kill();
				database.startAgain();
				Awaitility.await()
					.atMost(Duration.ofMinutes(2))
					.ignoreExceptions()
					.until(() -> replays.service().job(job.id()).state() == ReplayJob.State.FINISHED);
			}
			Map<String, Integer> replayed = new HashMap<>();
			broker.drain("order").forEach((message) -> replayed.merge(new String(message.getBody()), 1, Integer::sum));
			assertThat(replayed).hasSize(MESSAGES);
			assertThat(replayed.values().stream().mapToInt((count) -> count - 1).sum())
				.isLessThanOrEqualTo(ReplayProcess.IN_FLIGHT);
			delete(broker.channel());
		}
	}

	private void declare(Channel channel) throws IOException {
		delete(channel);
		channel.exchangeDeclare(this.topology.ringExchange(), "direct", true);
		channel.queueDeclare("order", true, false, false, Map.of("x-queue-type", "quorum"));
		channel.queueBind("order", this.topology.ringExchange(), "order");
	}

	private void delete(Channel channel) throws IOException {
		channel.queueDelete("order");
		channel.exchangeDelete(this.topology.ringExchange());
	}

}
