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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.rabbitmq.client.AMQP.BasicProperties;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A work queue gets another name while producers go on, messages wait, and instances of
 * both versions are killed.
 */
class FormerQueuesKilledIntegrationTests {

	private static final String FORMER = "moving";

	private static final String NOW = "moving-v2";

	private static final String EXCHANGE = "moving-events";

	private static final Duration DELAY = Duration.ofSeconds(16);

	private final TestBroker broker = TestBroker.connect();

	private final List<JavaProcess> workers = new ArrayList<>();

	private final Set<String> sent = new HashSet<>();

	private int number;

	@TempDir
	private Path folder;

	@BeforeEach
	void clean() {
		this.broker.deleteAll(FORMER);
		this.broker.deleteAll(NOW);
	}

	@AfterEach
	void stop() throws Exception {
		this.workers.forEach(JavaProcess::kill);
		clean();
		this.broker.channel().exchangeDelete(EXCHANGE);
		this.broker.close();
	}

	@Test
	void nothingIsLostStrandedTooEarlyOrGivenAFreshBudget() throws Exception {
		JavaProcess before = start(FORMER);
		before.await(() -> this.broker.isConsumed(FORMER));
		publish(1000, "waiting", 1, null);
		publish(20, "parked", 9, null);
		before.await(() -> waiting(FORMER) > 900);
		before.kill();
		publish(20, "expired", 0, "1");
		publish(1000, "work", 0, null);
		publish(20, "parked", 9, null);
		AtomicBoolean goesOn = new AtomicBoolean(true);
		Producer producer = new Producer(goesOn);
		producer.start();
		kill(start(NOW, "former-queues=" + FORMER), NOW);
		JavaProcess beside = start(FORMER);
		JavaProcess now = start(NOW, "former-queues=" + FORMER);
		kill(beside, FORMER);
		kill(now, NOW);
		start(NOW, "former-queues=" + FORMER).await(() -> this.broker.isConsumed(NOW));
		goesOn.set(false);
		producer.join();
		Awaitility.await()
			.atMost(Duration.ofMinutes(2))
			.pollInterval(Duration.ofSeconds(1))
			.untilAsserted(() -> assertThat(ended()).as("ended").containsAll(this.sent));
		assertThat(Stream.of(FORMER, FORMER + ".quarantine", FORMER + ".dlq", FORMER + ".retry.16s", NOW,
				NOW + ".quarantine", NOW + ".dlq", NOW + ".retry.16s"))
			.allSatisfy((queue) -> assertThat(this.broker.ready(queue)).as(queue).isZero());
		assertBudgetsAndDelays();
	}

	/**
	 * A delivery that a killed instance had may be handled again, with the attempt that
	 * it had; and each copy then ends as it would alone.
	 */
	private void assertBudgetsAndDelays() {
		Map<String, List<Call>> calls = calls()
			.collect(Collectors.groupingBy(Call::id, TreeMap::new, Collectors.toList()));
		// both queues may be bound while an instance of each version runs
		System.out.printf("%d messages, handled again by kind %s%n", this.sent.size(), calls.entrySet()
			.stream()
			.filter((
					entry) -> entry.getValue().stream().map(Call::attempt).distinct().count() < entry.getValue().size())
			.collect(Collectors.groupingBy((entry) -> entry.getKey().split("-")[0], TreeMap::new,
					Collectors.counting())));
		long repeated = calls.entrySet()
			.stream()
			.filter((entry) -> !entry.getKey().startsWith("exchange"))
			.map(Map.Entry::getValue)
			.filter((of) -> of.stream().map(Call::attempt).distinct().count() < of.size())
			.count();
		assertThat(repeated).as("handled again after kills").isLessThan(300);
		calls.forEach((id, of) -> {
			assertThat(of).as(id).allSatisfy((call) -> assertThat(call.attempt()).isLessThanOrEqualTo(2));
			int made = of.stream().mapToInt(Call::attempt).max().orElse(0);
			for (int attempt = 1; attempt <= made; attempt++) {
				// clocks of two calls, and the message's time in the queue, are in
				// milliseconds
				assertThat(first(of, attempt) - first(of, attempt - 1)).as("%s, attempt %s", id, attempt)
					.isGreaterThanOrEqualTo(DELAY.toMillis() - 5);
			}
		});
	}

	private static long first(List<Call> calls, int attempt) {
		return calls.stream().filter((call) -> call.attempt() == attempt).mapToLong(Call::time).min().orElseThrow();
	}

	/** Handled, or in a parking lot. */
	private Set<String> ended() throws Exception {
		this.parked.addAll(this.broker.drain(FORMER + ".parking-lot")
			.stream()
			.map((got) -> got.getProps().getMessageId())
			.toList());
		this.parked.addAll(
				this.broker.drain(NOW + ".parking-lot").stream().map((got) -> got.getProps().getMessageId()).toList());
		Set<String> ended = calls().filter((call) -> call.outcome().equals("handled"))
			.map(Call::id)
			.collect(Collectors.toSet());
		ended.addAll(this.parked);
		return ended;
	}

	private final Set<String> parked = new HashSet<>();

	private Stream<Call> calls() {
		try {
			return Files.readAllLines(file())
				.stream()
				.map((line) -> line.split(" "))
				.filter((parts) -> parts.length == 4)
				.map(Call::of);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private long waiting(String queue) {
		return this.broker.queues(queue).contains(queue + ".retry.16s") ? this.broker.ready(queue + ".retry.16s") : 0;
	}

	/** Confirmed together, so that all of them fail before the first one is retried. */
	private synchronized void publish(int count, String kind, int failures, String expiration) throws Exception {
		for (int i = 0; i < count; i++) {
			publish(this.broker, "", FORMER, kind + "-" + this.number, failures, expiration);
		}
		this.broker.channel().waitForConfirmsOrDie(30_000);
	}

	private synchronized void send(TestBroker broker, String exchange, String key, String id, int failures) {
		try {
			publish(broker, exchange, key, id, failures, null);
			broker.channel().waitForConfirmsOrDie(10_000);
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	private void publish(TestBroker broker, String exchange, String key, String id, int failures, String expiration)
			throws IOException {
		BasicProperties properties = TestBroker.json(id)
			.headers(Map.of("failures", failures))
			.expiration(expiration)
			.build();
		broker.channel().basicPublish(exchange, key, true, properties, "{}".getBytes());
		this.sent.add(id);
		this.number++;
	}

	private void kill(JavaProcess worker, String queue) {
		long before = calls().count();
		worker.await(() -> this.broker.isConsumed(queue) && calls().count() > before + 50);
		worker.kill();
	}

	private Path file() {
		return this.folder.resolve("calls");
	}

	private JavaProcess start(String queue, String... more) {
		List<String> arguments = new ArrayList<>(TestBroker.arguments());
		arguments.addAll(List.of("--moving.file=" + file(), "--moving.queue=" + queue));
		List<String> policy = new ArrayList<>(
				List.of("queue=" + queue, "exchange=" + EXCHANGE, "routing-keys=moving.created", "retry-backoff=fixed",
						"initial-delay=" + DELAY.toSeconds() + "s", "broker-attempts=2", "local-attempts=1"));
		policy.addAll(List.of(more));
		policy.forEach((property) -> arguments.add("--rabbit-retry.message-policies.Moving." + property));
		JavaProcess worker = JavaProcess.start(MovingWorker.class, 256, this.folder, arguments);
		this.workers.add(worker);
		return worker;
	}

	private record Call(long time, String id, int attempt, String outcome) {

		static Call of(String[] parts) {
			return new Call(Long.parseLong(parts[0]), parts[1], Integer.parseInt(parts[2]), parts[3]);
		}

	}

	/** Publishes by exchange and by the former queue's name, in turns. */
	private final class Producer extends Thread {

		private final AtomicBoolean goesOn;

		Producer(AtomicBoolean goesOn) {
			this.goesOn = goesOn;
			setDaemon(true);
		}

		@Override
		public void run() {
			FormerQueuesKilledIntegrationTests test = FormerQueuesKilledIntegrationTests.this;
			try (TestBroker own = TestBroker.connect()) {
				while (this.goesOn.get()) {
					test.send(own, EXCHANGE, "moving.created", "exchange-" + test.number,
							test.number % 20 == 0 ? 1 : 0);
					test.send(own, "", FORMER, "name-" + test.number, test.number % 20 == 0 ? 1 : 0);
				}
			}
		}

	}

}
