/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.GetResponse;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageBuilder;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.batch.MessageBatch;
import org.springframework.amqp.rabbit.batch.SimpleBatchingStrategy;
import org.springframework.amqp.rabbit.support.DefaultMessagePropertiesConverter;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Batches that a producer put into one message, in both kinds of containers.
 */
class ProducerBatchesIntegrationTests {

	private static final List<String> POLICY = List.of("rabbit-retry.message-policies.Order.retry-backoff=fixed",
			"rabbit-retry.message-policies.Order.initial-delay=200ms",
			"rabbit-retry.message-policies.Order.broker-attempts=1",
			"rabbit-retry.message-policies.Order.local-attempts=1");

	private final TestBroker broker = TestBroker.connect();

	/** As a {@code BatchingRabbitTemplate} puts them together. */
	private void send(String queue, String... bodies) {
		SimpleBatchingStrategy strategy = new SimpleBatchingStrategy(bodies.length, Integer.MAX_VALUE, 0);
		MessageBatch batch = null;
		for (String body : bodies) {
			batch = strategy.addToBatch("", queue,
					MessageBuilder.withBody(body.getBytes(StandardCharsets.UTF_8)).setMessageId("b").build());
		}
		assertThat(batch).isNotNull();
		BasicProperties properties = new DefaultMessagePropertiesConverter()
			.fromMessageProperties(batch.message().getMessageProperties(), "UTF-8");
		assertThat(properties.getHeaders()).containsEntry("springBatchFormat", "lengthHeader4");
		this.broker.send(queue, properties, batch.message().getBody());
	}

	private Map<String, String> parked(String queue, int number) {
		Map<String, String> parked = new TreeMap<>();
		for (int message = 0; message < number; message++) {
			GetResponse taken = this.broker.take(queue + ".parking-lot");
			assertThat(TestBroker.text(taken)).doesNotContainKeys("springBatchFormat", "amqp_batchSize");
			parked.put(taken.getProps().getMessageId(), new String(taken.getBody(), StandardCharsets.UTF_8));
		}
		return parked;
	}

	@Nested
	class OfOneProcess {

		private static final String QUEUE = "batches.produced";

		private ConfigurableApplicationContext application;

		@AfterEach
		void stop() {
			this.application.close();
			ProducerBatchesIntegrationTests.this.broker.deleteAll(QUEUE);
			ProducerBatchesIntegrationTests.this.broker.close();
		}

		private void start(Class<?> configuration, String type) {
			Listener.handled.clear();
			List<String> properties = new ArrayList<>(POLICY);
			properties.add("rabbit-retry.message-policies.Order.queue=" + QUEUE);
			properties.add("spring.rabbitmq.listener.type=" + type);
			this.application = TestApplication.start(configuration, properties.toArray(String[]::new));
		}

		@ParameterizedTest
		@CsvSource({ "simple", "direct" })
		void retryAndParkEachMessageByItself(String type) {
			start(Single.class, type);
			send(QUEUE, "a", "fail 1", "c", "fail 2");
			assertThat(parked(QUEUE, 2)).isEqualTo(Map.of("b#1", "fail 1", "b#3", "fail 2"));
			assertThat(Listener.handled).containsExactlyInAnyOrder("b a", "b#1 fail 1", "b#2 c", "b#3 fail 2",
					"b#1 fail 1", "b#3 fail 2");
			assertNothingLeft();
		}

		@ParameterizedTest
		@CsvSource({ "simple", "direct" })
		void areOneListForAListenerOfBatches(String type) {
			start(Lists.class, type);
			send(QUEUE, "a", "fail 1", "c");
			assertThat(parked(QUEUE, 1)).isEqualTo(Map.of("b#1", "fail 1"));
			// together, each alone, and the one that came back
			assertThat(Listener.handled).containsExactly("[a, fail 1, c]", "[a]", "[fail 1]", "[c]", "[fail 1]");
			assertNothingLeft();
		}

		@ParameterizedTest
		@ValueSource(strings = { "simple", "direct" })
		void areParkedIfTheyAreMalformedAndTheNextIsHandled(String type) {
			start(Single.class, type);
			Map<String, Object> headers = Map.of("springBatchFormat", "lengthHeader4");
			byte[] body = { 0, 0, 0, 1, 'a', 0, 0, 0, 9, 'b' };
			ProducerBatchesIntegrationTests.this.broker.send(QUEUE,
					new BasicProperties.Builder().messageId("bad").headers(headers).build(), body);
			send(QUEUE, "a", "c");
			GetResponse parked = ProducerBatchesIntegrationTests.this.broker.take(QUEUE + ".parking-lot");
			assertThat(parked.getBody()).isEqualTo(body);
			assertThat(TestBroker.text(parked)).containsEntry("x-app-retry-reason", "DESERIALIZATION_FAILED")
				.containsEntry("springBatchFormat", "lengthHeader4");
			Awaitility.await()
				.untilAsserted(() -> assertThat(Listener.handled).containsExactlyInAnyOrder("b a", "b#1 c"));
			assertNothingLeft();
		}

		private void assertNothingLeft() {
			this.application.close();
			ProducerBatchesIntegrationTests.this.broker.queues(QUEUE)
				.forEach((queue) -> assertThat(ProducerBatchesIntegrationTests.this.broker.ready(queue)).as(queue)
					.isZero());
		}

	}

	/**
	 * The process dies while messages of a batch are unhandled, and while copies wait.
	 */
	@Nested
	class OfAKilledProcess {

		private static final int SIZE = 20;

		@TempDir
		private Path folder;

		private JavaProcess process;

		@AfterEach
		void stop() {
			if (this.process != null && this.process.alive()) {
				this.process.kill();
			}
			ProducerBatchesIntegrationTests.this.broker.deleteAll(BatchWorker.QUEUE);
			ProducerBatchesIntegrationTests.this.broker.close();
		}

		@Test
		void loseNothingAndAreHandledAgainAsAWholeAtMost() {
			start();
			String[] bodies = IntStream.range(0, SIZE)
				.mapToObj((number) -> ((number % 4 == 1) ? "fail " : "ok ") + number)
				.toArray(String[]::new);
			send(BatchWorker.QUEUE, bodies);
			this.process.await(() -> logged("HANDLED ").size() >= SIZE / 4);
			this.process.kill();
			int before = logged("CALLED ").size();
			assertThat(before).isLessThan(SIZE);
			start();
			int failing = SIZE / 4;
			this.process.await(() -> new TreeSet<>(logged("HANDLED ")).size() == SIZE - failing);
			List<GetResponse> parked = new ArrayList<>();
			Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> {
				parked.addAll(ProducerBatchesIntegrationTests.this.broker.drain(BatchWorker.QUEUE + ".parking-lot"));
				return ids(parked).size() == failing
						&& ProducerBatchesIntegrationTests.this.broker.queues(BatchWorker.QUEUE)
							.stream()
							.allMatch((queue) -> ProducerBatchesIntegrationTests.this.broker.ready(queue) == 0);
			});
			this.process.stop();
			parked.addAll(ProducerBatchesIntegrationTests.this.broker.drain(BatchWorker.QUEUE + ".parking-lot"));
			assertThat(ProducerBatchesIntegrationTests.this.broker.ready(BatchWorker.QUEUE)).isZero();
			// each that failed before the kill may be there twice
			assertThat(parked).hasSizeBetween(failing, 2 * failing);
			Map<String, Integer> handled = new HashMap<>();
			logged("HANDLED ").forEach((id) -> handled.merge(id, 1, Integer::sum));
			assertThat(handled).hasSize(SIZE - failing).allSatisfy((id, times) -> assertThat(times).isBetween(1, 2));
			// of which those are that the first process handled
			assertThat(handled.values().stream().mapToInt(Integer::intValue).sum()).isLessThanOrEqualTo(SIZE + before);
		}

		private TreeSet<String> ids(List<GetResponse> messages) {
			TreeSet<String> ids = new TreeSet<>();
			messages.forEach((message) -> ids.add(message.getProps().getMessageId()));
			return ids;
		}

		private void start() {
			List<String> arguments = new ArrayList<>(TestBroker.arguments());
			POLICY.forEach((property) -> arguments.add("--" + property));
			arguments.add("--rabbit-retry.message-policies.Order.queue=" + BatchWorker.QUEUE);
			long before = starts();
			this.process = JavaProcess.start(BatchWorker.class, 128, this.folder, arguments);
			this.process.await(() -> starts() > before);
		}

		private long starts() {
			return lines().stream().filter((line) -> line.contains("Started BatchWorker")).count();
		}

		private List<String> logged(String prefix) {
			return lines().stream()
				.filter((line) -> line.startsWith(prefix))
				.map((line) -> line.substring(prefix.length()))
				.toList();
		}

		private List<String> lines() {
			try {
				Path log = this.folder.resolve("worker.log");
				return Files.exists(log) ? List.of(Files.readString(log).split("\n")) : List.of();
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

	}

	static final class Listener {

		static final List<String> handled = new CopyOnWriteArrayList<>();

		private Listener() {
		}

		static void handle(String what) {
			handled.add(what);
			if (what.contains("fail")) {
				throw new IllegalStateException("no");
			}
		}

	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Single {

		@RabbitListener(queues = OfOneProcess.QUEUE)
		void handle(Message message) {
			Listener.handle(message.getMessageProperties().getMessageId() + " " + new String(message.getBody()));
		}

	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Lists {

		@RabbitListener(queues = OfOneProcess.QUEUE, batch = "true")
		void handle(List<Message> messages) {
			Listener.handle(messages.stream().map((message) -> new String(message.getBody())).toList().toString());
		}

	}

}
