/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.GetResponse;
import io.github.rabbitretry.broker.Broker;
import io.github.rabbitretry.handler.BatchItemsFailedException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageListenerContainer;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.config.SimpleRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.amqp.support.converter.JacksonJsonMessageConverter;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Batches of ten that a simple container gathers, for each kind of list that a listener
 * may take. Each message may come twice, the second time after 200 ms.
 */
class BatchListenersIntegrationTests {

	private static final List<String> KINDS = List.of("payloads", "received", "converted");

	private static final int SIZE = 10;

	private static TestBroker broker;

	private static ConfigurableApplicationContext application;

	@BeforeAll
	static void start() {
		broker = TestBroker.connect();
		List<String> properties = new ArrayList<>(
				List.of("rabbit-retry.defaults.retry-backoff=fixed", "rabbit-retry.defaults.initial-delay=200ms",
						"rabbit-retry.defaults.broker-attempts=1", "rabbit-retry.defaults.local-attempts=1"));
		KINDS.forEach(
				(kind) -> properties.add("rabbit-retry.message-policies.%s.queue=batches.%s".formatted(kind, kind)));
		application = TestApplication.start(Application.class, properties.toArray(String[]::new));
	}

	@AfterAll
	static void close() {
		application.close();
		KINDS.forEach((kind) -> broker.deleteAll("batches." + kind));
		broker.close();
	}

	@BeforeEach
	void clear() {
		Application.calls.clear();
		Application.handled.clear();
		Application.aborted.set(false);
	}

	@AfterEach
	void stop() {
		Application.blocked.countDown();
		KINDS.forEach((kind) -> {
			container(kind).stop();
			// what a failed test leaves is none of the next one's
			broker.queues("batches." + kind).forEach(broker::purge);
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "payloads", "received", "converted" })
	void areAcknowledgedWhenAllSucceed(String kind) {
		send(kind);
		awaitHandled(SIZE);
		assertThat(Application.calls).extracting(List::size).containsExactly(SIZE);
		assertNothingLeft(kind);
	}

	@ParameterizedTest
	@ValueSource(strings = { "payloads", "received", "converted" })
	void ofWhichOneFailsAreHandledOneByOne(String kind) {
		send(kind, 4, "fail");
		assertThat(parked(kind, 1)).containsExactly("m-4 UNKNOWN_FAILURE");
		assertThat(Application.handled).hasSize(SIZE - 1).doesNotContain("m-4").doesNotHaveDuplicates();
		// together, each alone, and the failed one once more, alone since no other is
		// there
		assertThat(Application.calls).hasSize(1 + SIZE + 1);
		assertNothingLeft(kind);
	}

	@ParameterizedTest
	@ValueSource(strings = { "payloads", "received", "converted" })
	void ofWhichFailuresAreNamedAreHandledOnce(String kind) {
		send(kind, 4, "named");
		assertThat(parked(kind, 1)).containsExactly("m-4 UNKNOWN_FAILURE");
		assertThat(Application.handled).hasSize(SIZE - 1).doesNotContain("m-4").doesNotHaveDuplicates();
		assertThat(Application.calls).extracting(List::size).containsExactly(SIZE, 1);
		assertNothingLeft(kind);
	}

	@Test
	void ofWhichAllFailAreRetriedAndParkedEach() {
		send("payloads", IntStream.rangeClosed(1, SIZE).mapToObj((number) -> json(number, "fail")).toList());
		assertThat(parked("payloads", SIZE)).hasSize(SIZE).doesNotHaveDuplicates();
		assertThat(Application.handled).isEmpty();
		// of each of two deliveries, a common call and one alone
		IntStream.rangeClosed(1, SIZE)
			.forEach((number) -> assertThat(Application.calls.stream().flatMap(List::stream))
				.filteredOn(("m-" + number)::equals)
				.hasSizeBetween(3, 4));
		assertNothingLeft("payloads");
	}

	@ParameterizedTest
	@ValueSource(strings = { "payloads", "converted" })
	void ofWhichSomeCanNotBeConvertedAreHandledWithoutThem(String kind) {
		List<String> bodies = new ArrayList<>(bodies(4, "ok"));
		bodies.set(1, "no json");
		bodies.set(9, "{");
		send(kind, bodies);
		assertThat(parked(kind, 2)).containsExactlyInAnyOrder("m-2 DESERIALIZATION_FAILED",
				"m-10 DESERIALIZATION_FAILED");
		awaitHandled(SIZE - 2);
		assertThat(Application.calls).extracting(List::size).containsExactly(SIZE - 2);
		assertNothingLeft(kind);
	}

	@Test
	void whoseContainerStopsInTheMiddleAreGivenBackAsFarAsTheyAreNotHandled() throws Exception {
		Application.blocked = new CountDownLatch(1);
		Application.reached = new CountDownLatch(1);
		send("payloads", bodies(5, "block"));
		assertThat(Application.reached.await(20, TimeUnit.SECONDS)).isTrue();
		CompletableFuture<Void> stopped = CompletableFuture.runAsync(() -> container("payloads").stop());
		Awaitility.await().until(() -> !container("payloads").isRunning() || !active("payloads"));
		Application.blocked.countDown();
		stopped.get(30, TimeUnit.SECONDS);
		List<String> left = new ArrayList<>();
		broker.drain("batches.payloads").forEach((message) -> left.add(message.getProps().getMessageId()));
		assertThat(Stream.concat(Application.handled.stream(), left.stream())).hasSize(SIZE).doesNotHaveDuplicates();
		if (!Broker.shared().version().matches("4\\.[0-2]\\..*")) {
			assertThat(left).containsExactly("m-6", "m-7", "m-8", "m-9", "m-10");
		}
		assertThat(broker.ready("batches.payloads.parking-lot")).isZero();
	}

	@Test
	void whoseConnectionIsLostInTheMiddleAreAllHandledInTheEnd() {
		send("converted", 5, "abort");
		Awaitility.await().until(() -> new TreeSet<>(Application.handled).size() == SIZE);
		assertNothingLeft("converted");
		// what was acknowledged before is not handled again
		assertThat(Collections.frequency(Application.handled, "m-1")).isEqualTo(1);
		assertThat(broker.ready("batches.converted.parking-lot")).isZero();
	}

	private static MessageListenerContainer container(String kind) {
		return application.getBean(RabbitListenerEndpointRegistry.class).getListenerContainer(kind);
	}

	private static boolean active(String kind) {
		return ((org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer) container(kind)).isActive();
	}

	private static void send(String kind) {
		send(kind, 1, "ok");
	}

	private static void send(String kind, int number, String what) {
		send(kind, bodies(number, what));
	}

	private static List<String> bodies(int number, String what) {
		return IntStream.rangeClosed(1, SIZE).mapToObj((each) -> json(each, (each == number) ? what : "ok")).toList();
	}

	private static String json(int number, String what) {
		return "{\"id\":\"m-%d\",\"what\":\"%s\"}".formatted(number, what);
	}

	/** While nobody consumes, so that all are one batch. */
	private static void send(String kind, List<String> bodies) {
		for (int index = 0; index < bodies.size(); index++) {
			broker.sendJson("batches." + kind, "m-" + (index + 1), Map.of(), bodies.get(index));
		}
		container(kind).start();
	}

	private static void awaitHandled(int number) {
		Awaitility.await().until(() -> Application.handled.size() >= number);
	}

	private static List<String> parked(String kind, int number) {
		List<String> parked = new ArrayList<>();
		while (parked.size() < number) {
			GetResponse message = broker.take("batches.%s.parking-lot".formatted(kind));
			Map<String, Object> headers = TestBroker.text(message);
			parked.add("%s %s".formatted(message.getProps().getMessageId(),
					headers.getOrDefault("x-app-failure-reason", headers.get("x-app-retry-reason"))));
		}
		return parked;
	}

	private static void assertNothingLeft(String kind) {
		container(kind).stop();
		broker.queues("batches." + kind).forEach((queue) -> assertThat(broker.ready(queue)).as(queue).isZero());
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Application {

		/** The message ids of each call. */
		static final List<List<String>> calls = new CopyOnWriteArrayList<>();

		/** What a call succeeded with, or told as handled. */
		static final List<String> handled = new CopyOnWriteArrayList<>();

		static final AtomicBoolean aborted = new AtomicBoolean();

		static volatile CountDownLatch blocked = new CountDownLatch(0);

		static volatile CountDownLatch reached = new CountDownLatch(0);

		@RabbitListener(id = "payloads", queues = "batches.payloads", containerFactory = "gathering",
				autoStartup = "false")
		void payloads(List<Item> items) throws Exception {
			handle(items, null);
		}

		@RabbitListener(id = "received", queues = "batches.received", containerFactory = "gathering",
				autoStartup = "false")
		void received(List<Message> messages) throws Exception {
			handle(messages.stream()
				.map((message) -> JsonMapper.shared().readValue(message.getBody(), Item.class))
				.toList(), null);
		}

		@RabbitListener(id = "converted", queues = "batches.converted", containerFactory = "gathering",
				autoStartup = "false")
		void converted(List<org.springframework.messaging.Message<Item>> messages, Channel channel) throws Exception {
			handle(messages.stream().map(org.springframework.messaging.Message::getPayload).toList(), channel);
		}

		private static void handle(List<Item> items, Channel channel) throws Exception {
			calls.add(items.stream().map(Item::id).toList());
			BatchItemsFailedException failed = new BatchItemsFailedException();
			List<String> succeeded = new ArrayList<>();
			for (int index = 0; index < items.size(); index++) {
				Item item = items.get(index);
				if (item.what().equals("fail") || (items.size() > 1 && !item.what().matches("ok|named"))) {
					throw new IllegalStateException("no");
				}
				if (item.what().equals("named")) {
					failed.add(index, new IllegalStateException("no"));
					continue;
				}
				if (item.what().equals("block")) {
					reached.countDown();
					blocked.await();
				}
				if (item.what().equals("abort") && aborted.compareAndSet(false, true)) {
					channel.getConnection().abort();
				}
				succeeded.add(item.id());
			}
			handled.addAll(succeeded);
			failed.throwIfAny();
		}

		@Bean
		static SimpleRabbitListenerContainerFactory gathering(ConnectionFactory connectionFactory) {
			SimpleRabbitListenerContainerFactory factory = new SimpleRabbitListenerContainerFactory();
			factory.setConnectionFactory(connectionFactory);
			factory.setMessageConverter(new JacksonJsonMessageConverter());
			factory.setBatchListener(true);
			factory.setConsumerBatchEnabled(true);
			factory.setBatchSize(SIZE);
			factory.setReceiveTimeout(300L);
			return factory;
		}

	}

	/**
	 * What a message says.
	 *
	 * @param id its message id
	 * @param what is to be done with it
	 */
	record Item(String id, String what) {
	}

}
