/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import com.rabbitmq.client.Channel;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two workers share a queue whose messages are handled in order. They are killed, stopped
 * and started while they do.
 */
class OrderKeptIntegrationTests {

	private static final int MESSAGES = 5000;

	private static final int ROUNDS = 6;

	private static final String QUEUE = "ordered.kept";

	private static final String ORDER = "--rabbit-retry.message-policies.Order.";

	private final long seed = new Random().nextLong();

	private final Random random = new Random(this.seed);

	private final TestBroker broker = TestBroker.connect();

	private final List<JavaProcess> workers = new ArrayList<>();

	@TempDir
	private Path folder;

	@BeforeEach
	void clean() {
		this.broker.deleteAll(QUEUE);
	}

	@AfterEach
	void stop() {
		this.workers.forEach(JavaProcess::kill);
		this.broker.deleteAll(QUEUE);
		this.broker.close();
	}

	@ParameterizedTest(name = "by {0}, {3} container")
	@CsvSource({ "queue, 1, 500, simple", "key, 100, 5000, simple", "key, 100, 5000, direct" })
	void noMessageIsOvertakenWhileWorkersAreKilledAndStopped(String ordering, int keys, int works, String type)
			throws Exception {
		this.workers.add(start(ordering, works, type, "10ms"));
		this.workers.add(start(ordering, works, type, "10ms"));
		this.workers.get(0).await(() -> this.broker.isConsumed(QUEUE));
		this.workers.get(1).await(() -> true);
		publish(keys);
		int kills = 0;
		for (int round = 0; round < ROUNDS; round++) {
			long before = lines().size();
			Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> lines().size() > before + 400);
			int which = working();
			if (round % 3 == 2) {
				this.workers.get(which).stop();
			}
			else {
				this.workers.get(which).kill();
				kills++;
			}
			this.workers.set(which, start(ordering, works, type, "10ms"));
		}
		Awaitility.await()
			.atMost(Duration.ofMinutes(2))
			.pollInterval(Duration.ofMillis(200))
			.until(() -> order().messages() == MESSAGES);
		HandledOrder order = order();
		System.out.printf("by %s, %s: seed %d, %d messages handled, %d of them again, %d workers killed, %d stopped%n",
				ordering, type, this.seed, order.messages(), order.repeated(), kills, ROUNDS - kills);
		assertThat(order.skipped()).as("overtaken").isEmpty();
		assertThat(this.broker.ready(QUEUE + ".parking-lot")).as("parked").isZero();
	}

	/**
	 * Prints the throughput; its bound is asserted in virtual time, by
	 * {@code LanesTests}.
	 */
	@Test
	void orderByKeyIsFasterThanOrderByQueue() throws Exception {
		Duration byQueue = handle("queue", 2000);
		Duration byKey = handle("key", 2000);
		System.out.printf("2,000 messages of 100 keys, 10 %% fail 1 to 3 times, 100 ms apart: by queue %s, by key %s%n",
				byQueue, byKey);
		assertThat(byKey).isLessThan(byQueue);
	}

	/** The one of the two that handles messages. */
	private int working() {
		List<String> lines = lines();
		String id = lines.get(lines.size() - 1).split(" ")[0];
		return (this.workers.get(0).id() == Long.parseLong(id)) ? 0 : 1;
	}

	private Duration handle(String ordering, int messages) throws Exception {
		JavaProcess worker = start(ordering, 0, "simple", "100ms");
		this.workers.add(worker);
		worker.await(() -> this.broker.isConsumed(QUEUE));
		long before = lines().size();
		long began = System.nanoTime();
		publish(100, messages);
		Awaitility.await()
			.atMost(Duration.ofMinutes(5))
			.pollInterval(Duration.ofMillis(10))
			.until(() -> lines().size() >= before + messages);
		Duration time = Duration.ofNanos(System.nanoTime() - began);
		worker.stop();
		this.workers.clear();
		this.broker.deleteAll(QUEUE);
		return time;
	}

	private void publish(int keys) throws Exception {
		publish(keys, MESSAGES);
	}

	private void publish(int keys, int messages) throws Exception {
		Channel channel = this.broker.channel();
		Map<String, Integer> next = new HashMap<>();
		for (int i = 0; i < messages; i++) {
			String key = "k-" + this.random.nextInt(keys);
			int number = next.merge(key, 1, Integer::sum) - 1;
			int failures = (i % 10 == 0) ? 1 + this.random.nextInt(3) : 0;
			channel.basicPublish("", QUEUE, true,
					TestBroker.json(String.valueOf(number)).headers(Map.of("key", key, "failures", failures)).build(),
					new byte[0]);
		}
		channel.waitForConfirmsOrDie(60_000);
	}

	private HandledOrder order() {
		HandledOrder order = new HandledOrder();
		for (String line : lines()) {
			String[] parts = line.split(" ");
			order.handled(parts[1], Integer.parseInt(parts[2]));
		}
		return order;
	}

	private List<String> lines() {
		Path file = this.folder.resolve("handled.txt");
		try {
			return Files.exists(file) ? Files.readAllLines(file) : List.of();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private JavaProcess start(String ordering, int works, String type, String interval) {
		List<String> arguments = new ArrayList<>(TestBroker.arguments());
		arguments.addAll(List.of("--spring.main.banner-mode=off", "--spring.rabbitmq.listener.type=" + type,
				"--spring.rabbitmq.listener.simple.concurrency=4", "--spring.rabbitmq.listener.simple.prefetch=1000",
				"--spring.rabbitmq.listener.direct.consumers-per-queue=4",
				"--logging.level.io.github.rabbitretry.decisions=warn", "--ordered.queue=" + QUEUE,
				"--ordered.file=" + this.folder.resolve("handled.txt"), "--ordered.works=" + works,
				ORDER + "queue=" + QUEUE, ORDER + "ordering=" + ordering, ORDER + "retry-backoff=fixed",
				ORDER + "initial-delay=" + interval, ORDER + "broker-attempts=5", ORDER + "local-attempts=1",
				// each kill counts for all that the worker holds
				ORDER + "delivery-limit=1000"));
		if (ordering.equals("key")) {
			arguments.add(ORDER + "ordering-key=header:key");
		}
		return JavaProcess.start(OrderedWorker.class, 256, this.folder, arguments);
	}

}
