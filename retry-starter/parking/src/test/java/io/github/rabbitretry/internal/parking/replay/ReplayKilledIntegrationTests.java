/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.replay;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.GetResponse;
import io.github.rabbitretry.broker.Broker;
import io.github.rabbitretry.database.Database;
import io.github.rabbitretry.internal.parking.ledger.LedgerSchema;
import io.github.rabbitretry.internal.parking.ledger.SchemaInitialization;
import io.github.rabbitretry.internal.policy.TestPolicy;
import io.github.rabbitretry.internal.topology.MessageTopology;
import io.github.rabbitretry.it.JavaProcess;
import io.github.rabbitretry.it.TestBroker;
import io.github.rabbitretry.parking.message.ParkedFilter;
import io.github.rabbitretry.parking.replay.OperatorAction;
import io.github.rabbitretry.parking.replay.ReplayJob;
import io.github.rabbitretry.parking.replay.ReplayOptions;
import io.github.rabbitretry.parking.replay.ReplayRequest;
import io.github.rabbitretry.parking.replay.Selection;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;

class ReplayKilledIntegrationTests {

	private static final int MESSAGES = 8_000;

	private final MessageTopology topology = TestPolicy.order().build().topology();

	private final DriverManagerDataSource dataSource = new DriverManagerDataSource(Database.shared().createDatabase(),
			Database.shared().username(), Database.shared().password());

	private final JdbcClient jdbc = JdbcClient.create(this.dataSource);

	@ParameterizedTest(name = "{0}, {1} times")
	@CsvSource({ "order, 10", "order.moved, 4" })
	void nothingIsLostWhenTheWorkerIsKilledAtRandom(String to, int kills, @TempDir Path folder) throws Exception {
		ReplayOptions unthrottled = ReplayOptions.unthrottled(MESSAGES);
		boolean move = !to.equals("order");
		long seed = new Random().nextLong();
		Random random = new Random(seed);
		System.out.printf("replay killed: seed %d%n", seed);
		new LedgerSchema(this.dataSource, SchemaInitialization.ALWAYS).prepare();
		ParkedTable.fill(this.jdbc, MESSAGES);
		try (TestBroker broker = TestBroker.connect();
				ReplayProcess here = new ReplayProcess(Broker.shared().amqpUri().toString(),
						String.valueOf(this.dataSource.getUrl()), Database.shared().username(),
						Database.shared().password())) {
			declare(broker.channel(), to);
			ReplayJob job = here.service()
				.start(new ReplayRequest(Selection.of(ParkedFilter.ALL),
						(move ? unthrottled.withMove(to) : unthrottled).withRate(1_000.0, Duration.ZERO),
						new OperatorAction("ops", "fixed")));
			for (int kill = 0; kill < kills; kill++) {
				long before = published();
				JavaProcess worker = start(folder);
				try {
					worker.await(() -> published() > before);
					Duration pause = Duration.ofMillis(random.nextInt(1_000));
					Awaitility.await().pollDelay(pause).until(() -> true);
				}
				finally {
					worker.kill();
				}
				System.out.printf("replay killed: %d published at kill %d%n", published(), kill + 1);
			}
			System.out.printf("replay killed: %d of %d published when the last one was killed%n", published(),
					MESSAGES);
			assertThat(published()).as("published when the last one was killed").isLessThan(MESSAGES);
			here.start();
			ReplayJob finished = Awaitility.await()
				.atMost(Duration.ofMinutes(5))
				.until(() -> here.service().job(job.id()), (now) -> now.state() == ReplayJob.State.FINISHED);
			assertThat(finished.counts()).isEqualTo(
					new ReplayJob.Counts(MESSAGES, 0, 0, move ? 0 : MESSAGES, 0, move ? MESSAGES : 0, 0, 0, 0, 0, 0));
			Map<String, Integer> replayed = drain(broker, to);
			assertThat(replayed).hasSize(MESSAGES);
			int twice = replayed.values().stream().mapToInt((count) -> count - 1).sum();
			System.out.printf("replay killed: %d of %d published twice%n", twice, MESSAGES);
			assertThat(twice).isLessThanOrEqualTo(kills * ReplayProcess.IN_FLIGHT);
			delete(broker.channel(), to);
		}
	}

	private void declare(Channel channel, String queue) throws IOException {
		delete(channel, queue);
		channel.exchangeDeclare(this.topology.ringExchange(), "direct", true);
		channel.queueDeclare(queue, true, false, false, Map.of("x-queue-type", "quorum"));
		channel.queueBind(queue, this.topology.ringExchange(), queue);
	}

	private void delete(Channel channel, String queue) throws IOException {
		channel.queueDelete(queue);
		channel.exchangeDelete(this.topology.ringExchange());
	}

	private static Map<String, Integer> drain(TestBroker broker, String queue) {
		Map<String, Integer> replayed = new HashMap<>();
		List<GetResponse> messages = broker.drain(queue);
		messages.forEach((message) -> replayed.merge(new String(message.getBody()), 1, Integer::sum));
		return replayed;
	}

	private JavaProcess start(Path folder) {
		return JavaProcess.start(ReplayProcess.class, 128, folder, List.of(Broker.shared().amqpUri().toString(),
				String.valueOf(this.dataSource.getUrl()), Database.shared().username(), Database.shared().password()));
	}

	private long published() {
		return this.jdbc.sql("select count(*) from rabbit_retry_replay_item where state in ('PUBLISHED', 'SUCCEEDED')")
			.query(Long.class)
			.single();
	}

}
