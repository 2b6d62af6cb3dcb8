/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.stream.Stream;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.GetResponse;
import io.github.rabbitretry.handler.RetryContext;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.config.DirectRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.config.SimpleRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.support.AmqpHeaders;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageHeaders;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Headers with which a producer can attack a consumer of Spring AMQP 4.1.2: nested deep
 * (CVE-2026-59404), or of a name that Spring AMQP has for what it says of the delivery
 * (CVE-2026-59395). And one with which it would delay each copy on RabbitMQ 4.4.
 */
class ProducerHeadersIntegrationTests {

	private static final String QUEUE = "producers.simple";

	private static final String DIRECT = "producers.direct";

	private static final String BATCHES = "producers.batches";

	private static final List<String> QUEUES = List.of(QUEUE, DIRECT, BATCHES);

	/** Overflows the stack of a consumer's thread that converts it. */
	private static final int DEEP = 6_000;

	private static TestBroker broker;

	private static ConfigurableApplicationContext application;

	@BeforeAll
	static void start() {
		broker = TestBroker.connect();
		application = TestApplication.start(Application.class, "rabbit-retry.message-policies.Simple.queue=" + QUEUE,
				"rabbit-retry.message-policies.Direct.queue=" + DIRECT,
				"rabbit-retry.message-policies.Batches.queue=" + BATCHES, "rabbit-retry.defaults.broker-attempts=1",
				"rabbit-retry.defaults.local-attempts=1", "rabbit-retry.defaults.retry-backoff=fixed",
				"rabbit-retry.defaults.initial-delay=200ms");
	}

	@AfterAll
	static void stop() {
		application.close();
		QUEUES.forEach(broker::deleteAll);
		broker.close();
	}

	@BeforeEach
	void forget() {
		Listener.handled.clear();
		QUEUES.forEach((queue) -> broker.purge(queue + ".parking-lot"));
	}

	@ParameterizedTest
	@MethodSource
	void aDeeplyNestedHeaderParksItsMessageAndTheConsumerGoesOn(String queue, BasicProperties nested) {
		broker.sendJson(queue, "before", Map.of(), "\"ok\"");
		awaitHandled("before");
		broker.send(queue, nested, "\"ok\"");
		broker.sendJson(queue, "after", Map.of(), "\"ok\"");
		GetResponse parked = broker.take(queue + ".parking-lot");
		assertThat(parked.getProps().getMessageId()).isEqualTo(nested.getMessageId());
		assertThat(TestBroker.text(parked)).containsEntry("x-app-retry-reason", "UNPUBLISHABLE")
			.containsEntry("x-app-dropped-headers", NestedHeader.NAME)
			.doesNotContainKey(NestedHeader.NAME);
		awaitHandled("after");
		assertThat(Listener.handled).map((headers) -> headers.get(AmqpHeaders.MESSAGE_ID))
			.containsExactly("before", "after");
		// none began anew
		assertThat(Listener.handled).map((headers) -> headers.get(AmqpHeaders.CONSUMER_TAG)).containsOnly(consumer());
	}

	static Stream<Arguments> aDeeplyNestedHeaderParksItsMessageAndTheConsumerGoesOn() {
		return QUEUES.stream()
			.flatMap((queue) -> Stream.of(Arguments.of(queue, NestedHeader.ofTables("tables", DEEP)),
					Arguments.of(queue, NestedHeader.ofArrays("arrays", DEEP))));
	}

	@Test
	void aDeadLetterWithADeeplyNestedHeaderIsParkedToo() {
		broker.send(QUEUE + ".dlq", NestedHeader.ofTables("dead", DEEP), "\"ok\"");
		broker.sendJson(QUEUE + ".dlq", "next", Map.of(), "\"ok\"");
		assertThat(List.of(broker.take(QUEUE + ".parking-lot"), broker.take(QUEUE + ".parking-lot")))
			.map((parked) -> parked.getProps().getMessageId())
			.containsExactlyInAnyOrder("dead", "next");
	}

	@Test
	void aHeaderThatIsNestedAHundredLevelsDeepIsHandledRetriedAndParkedAsItIs() {
		broker.send(QUEUE, NestedHeader.ofTables("m-1", 100), "\"fail\"");
		GetResponse parked = broker.take(QUEUE + ".parking-lot");
		assertThat(Listener.handled).hasSize(2).allSatisfy((headers) -> assertThat(headers).containsKey("n"));
		assertThat(parked.getProps().getHeaders()).containsKey("n").doesNotContainKey("x-app-dropped-headers");
		assertThat(TestBroker.text(parked)).containsEntry("x-app-retry-reason", "RETRY_BUDGET_EXHAUSTED");
	}

	@ParameterizedTest
	@ValueSource(strings = { QUEUE, DIRECT, BATCHES })
	void handlersReadWhatTheBrokerSaysAndCopiesCarryWhatTheProducerSent(String queue) {
		Map<String, Object> forged = new HashMap<>();
		forged.put(AmqpHeaders.RECEIVED_ROUTING_KEY, "forged");
		forged.put(AmqpHeaders.RECEIVED_EXCHANGE, "forged");
		forged.put(AmqpHeaders.CONSUMER_QUEUE, "forged");
		forged.put(AmqpHeaders.CONSUMER_TAG, "forged");
		forged.put(AmqpHeaders.DELIVERY_TAG, 4711L);
		forged.put(AmqpHeaders.REDELIVERED, true);
		forged.put(AmqpHeaders.MESSAGE_ID, "forged");
		forged.put(AmqpHeaders.RECEIVED_USER_ID, "admin");
		broker.sendJson(queue, "m-1", forged, "\"fail\"");
		GetResponse parked = broker.take(queue + ".parking-lot");
		assertThat(Listener.handled).hasSize(2);
		assertThat(Listener.handled.get(0)).containsEntry(AmqpHeaders.RECEIVED_ROUTING_KEY, queue)
			.doesNotContainEntry(AmqpHeaders.RECEIVED_EXCHANGE, "forged")
			.containsEntry(AmqpHeaders.CONSUMER_QUEUE, queue)
			.containsEntry(AmqpHeaders.REDELIVERED, false)
			.containsEntry(AmqpHeaders.MESSAGE_ID, "m-1")
			.doesNotContainKey(AmqpHeaders.RECEIVED_USER_ID)
			.doesNotContainEntry(AmqpHeaders.CONSUMER_TAG, "forged")
			.doesNotContainEntry(AmqpHeaders.DELIVERY_TAG, 4711L);
		assertThat(TestBroker.text(parked)).containsEntry(AmqpHeaders.RECEIVED_ROUTING_KEY, "forged")
			.containsEntry(AmqpHeaders.DELIVERY_TAG, "4711")
			.containsEntry(AmqpHeaders.RECEIVED_USER_ID, "admin");
	}

	@Test
	void aDeliveryTimeIsLeftAloneOnTheFirstDeliveryAndOnNoCopy() {
		long later = System.currentTimeMillis() + Duration.ofDays(1).toMillis();
		broker.sendJson(QUEUE, "m-1", Map.of("x-opt-delivery-time", later, "x-other", 1), "\"fail\"");
		GetResponse parked = broker.take(QUEUE + ".parking-lot");
		assertThat(Listener.handled).hasSize(2);
		assertThat(Listener.handled.get(0)).containsEntry("x-opt-delivery-time", later);
		assertThat(Listener.handled.get(1)).containsEntry("x-other", 1).doesNotContainKey("x-opt-delivery-time");
		assertThat(parked.getProps().getHeaders()).containsEntry("x-other", 1).doesNotContainKey("x-opt-delivery-time");
	}

	private static Object consumer() {
		return Listener.handled.get(0).get(AmqpHeaders.CONSUMER_TAG);
	}

	private static void awaitHandled(String id) {
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.until(() -> Listener.handled.stream()
				.anyMatch((headers) -> id.equals(headers.get(AmqpHeaders.MESSAGE_ID))));
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Application {

		/** The client reads with more stack than a container converts with. */
		Application(CachingConnectionFactory connections) {
			ThreadFactory threads = Executors.defaultThreadFactory();
			connections.getRabbitConnectionFactory()
				.setThreadFactory((task) -> task.getClass().getName().endsWith("MainLoop")
						? new Thread(null, task, "reader", 256L * 1024 * 1024) : threads.newThread(task));
		}

		@Bean
		SimpleRabbitListenerContainerFactory batches(ConnectionFactory connections) {
			SimpleRabbitListenerContainerFactory factory = new SimpleRabbitListenerContainerFactory();
			factory.setConnectionFactory(connections);
			factory.setBatchListener(true);
			factory.setConsumerBatchEnabled(true);
			factory.setReceiveTimeout(200L);
			return factory;
		}

		@Bean
		DirectRabbitListenerContainerFactory direct(ConnectionFactory connections) {
			DirectRabbitListenerContainerFactory factory = new DirectRabbitListenerContainerFactory();
			factory.setConnectionFactory(connections);
			return factory;
		}

		@Bean
		Listener listener() {
			return new Listener();
		}

	}

	static class Listener {

		static final List<MessageHeaders> handled = new CopyOnWriteArrayList<>();

		@RabbitListener(queues = QUEUE)
		void handle(Message<byte[]> message, RetryContext context) {
			one(message);
		}

		@RabbitListener(queues = DIRECT, containerFactory = "direct")
		void handle(Message<byte[]> message) {
			one(message);
		}

		@RabbitListener(queues = BATCHES, containerFactory = "batches")
		void handle(List<Message<byte[]>> messages) {
			messages.forEach(Listener::one);
		}

		private static void one(Message<byte[]> message) {
			handled.add(message.getHeaders());
			if (new String(message.getPayload()).contains("fail")) {
				throw new IllegalStateException("fails");
			}
		}

	}

}
