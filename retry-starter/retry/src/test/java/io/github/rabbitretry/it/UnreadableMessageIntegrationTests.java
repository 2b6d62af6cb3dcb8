/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import io.github.rabbitretry.broker.Broker;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.search.MeterNotFoundException;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.config.ContainerCustomizer;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A message whose delivery ends the client's reader ends a bounded number of connections,
 * comes to rest in the last queue, and costs no other message.
 */
class UnreadableMessageIntegrationTests {

	private static final String QUEUE = "unreadable.order";

	private static final String OTHER = "unreadable.other";

	private static final int MESSAGES = 200;

	private final TestBroker broker = TestBroker.connect();

	private final Written written = new Written();

	private ConfigurableApplicationContext application;

	@AfterEach
	void stop() {
		this.written.detach();
		this.application.close();
		this.broker.purgeUnroutable();
		this.broker.deleteAll(QUEUE);
		this.broker.deleteAll(OTHER);
		this.broker.close();
	}

	@Test
	void inAWorkQueueComesToRestAndAllOthersAreHandled() throws Exception {
		start();
		long readers = readers();
		NestedHeader.send(this.broker, QUEUE, "unreadable");
		publish(QUEUE);
		publish(OTHER);
		awaitAtRest(1);
		Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> Listener.handled.size() == 2 * MESSAGES);
		assertThat(this.broker.ready(QUEUE + ".dlq")).isZero();
		for (String queue : List.of(QUEUE, OTHER)) {
			assertThat(this.broker.ready(queue + ".parking-lot")).isZero();
		}
		assertCounted();
		// quarantine has a connection of its own now
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.untilAsserted(() -> assertThat(readers()).isEqualTo(readers + 1));
		this.written.assertBounded();
	}

	@Test
	void inADeadLetterQueueLeavesListenersAndOtherDeadLettersAlone() throws Exception {
		start();
		String listening = channelOf(QUEUE);
		this.broker.sendJson(QUEUE + ".dlq", "before", Map.of(), "{}");
		NestedHeader.send(this.broker, QUEUE + ".dlq", "unreadable");
		this.broker.sendJson(QUEUE + ".dlq", "after", Map.of(), "{}");
		this.broker.sendJson(OTHER + ".dlq", "beside", Map.of(), "{}");
		awaitAtRest(1);
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.until(() -> this.broker.ready(QUEUE + ".parking-lot") == 2
					&& this.broker.ready(OTHER + ".parking-lot") == 1);
		assertThat(this.broker.unroutable()).isOne();
		assertThat(channelOf(QUEUE)).isEqualTo(listening);
		Awaitility.await().until(() -> this.broker.channel().consumerCount(QUEUE + ".dlq") == 1);
		this.broker.sendJson(QUEUE + ".dlq", "later", Map.of(), "{}");
		Awaitility.await().until(() -> this.broker.ready(QUEUE + ".parking-lot") == 3);
		assertCounted();
		this.written.assertBounded();
	}

	@Test
	void inADeadLetterQueueTwiceIsNoDeathOfAQuarantinedMessage() throws Exception {
		start();
		Listener.hold = new CountDownLatch(1);
		this.broker.sendJson(QUEUE + ".quarantine", "held", Map.of(), "{}");
		NestedHeader.send(this.broker, QUEUE + ".dlq", "unreadable");
		awaitAtRest(1);
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.until(() -> this.broker.channel().consumerCount(QUEUE + ".quarantine") == 1
					&& this.broker.channel().consumerCount(QUEUE + ".dlq") == 1);
		String held = channelOf(QUEUE + ".quarantine");
		NestedHeader.send(this.broker, QUEUE + ".dlq", "another");
		awaitAtRest(2);
		assertThat(channelOf(QUEUE + ".quarantine")).isEqualTo(held);
		Listener.hold.countDown();
		Awaitility.await().until(() -> Listener.handled.contains("held"));
		assertThat(this.broker.ready(QUEUE + ".parking-lot")).isZero();
	}

	private void start() {
		Listener.handled.clear();
		Listener.hold = new CountDownLatch(0);
		this.application = TestApplication.start(Application.class,
				"rabbit-retry.message-policies.Order.queue=" + QUEUE,
				"rabbit-retry.message-policies.Other.queue=" + OTHER, "rabbit-retry.defaults.retry-backoff=fixed",
				"rabbit-retry.defaults.initial-delay=200ms", "rabbit-retry.defaults.delivery-limit=3",
				"spring.rabbitmq.listener.simple.prefetch=10");
		// every type's are there
		this.broker.purgeUnroutable();
		Awaitility.await()
			.until(() -> this.broker.channel().consumerCount(QUEUE + ".quarantine") == 1
					&& this.broker.channel().consumerCount(OTHER + ".quarantine") == 1
					&& this.broker.channel().consumerCount(QUEUE + ".dlq") == 1);
		// all connections are open now, the publishing one included
		this.broker.send(OTHER + ".dlq", TestBroker.json("first").build(), "{}");
		this.broker.take(OTHER + ".parking-lot");
		this.written.attach();
	}

	private void publish(String queue) {
		IntStream.range(0, MESSAGES)
			.forEach((number) -> this.broker.sendJson(queue, queue + "-" + number, Map.of(), "{}"));
	}

	private void awaitAtRest(long count) {
		Awaitility.await().atMost(Duration.ofSeconds(90)).until(() -> this.broker.unroutable() == count);
	}

	/** Each connection has one. */
	private static long readers() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().startsWith("AMQP Connection"))
			.count();
	}

	private void assertCounted() {
		MeterRegistry meters = this.application.getBean(MeterRegistry.class);
		// it is counted two seconds after the queue is empty
		Awaitility.await()
			.ignoreException(MeterNotFoundException.class)
			.untilAsserted(() -> assertThat(
					meters.get("rabbit.retry.undeliverable").tag("message_type", "Order").counter().count())
				.isEqualTo(1));
	}

	/** The channel that a queue's only consumer is on. */
	private static String channelOf(String queue) {
		return Broker.shared()
			.ctl("list_consumers", "queue_name", "channel_pid", "--quiet")
			.lines()
			.filter((line) -> line.startsWith(queue + "\t"))
			.findFirst()
			.orElseThrow();
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Application {

		@Bean
		MeterRegistry meters() {
			return new SimpleMeterRegistry();
		}

		@Bean
		ContainerCustomizer<SimpleMessageListenerContainer> soonBack() {
			return (container) -> container.setRecoveryInterval(500);
		}

		@Bean
		Listener listener() {
			return new Listener();
		}

	}

	static class Listener {

		static final Set<String> handled = ConcurrentHashMap.newKeySet();

		static volatile CountDownLatch hold = new CountDownLatch(0);

		@RabbitListener(queues = { QUEUE, OTHER })
		void handle(Message message) throws InterruptedException {
			hold.await(2, TimeUnit.MINUTES);
			handled.add(message.getMessageProperties().getMessageId());
		}

	}

	/** Counts what is logged. */
	private static final class Written extends AppenderBase<ILoggingEvent> {

		private long characters;

		void attach() {
			start();
			((Logger) LoggerFactory.getLogger("ROOT")).addAppender(this);
		}

		void detach() {
			((Logger) LoggerFactory.getLogger("ROOT")).detachAppender(this);
		}

		@Override
		protected synchronized void append(ILoggingEvent event) {
			this.characters += event.getFormattedMessage().length();
			if (event.getThrowableProxy() != null) {
				this.characters += ThrowableProxyUtil.asString(event.getThrowableProxy()).length();
			}
		}

		synchronized void assertBounded() {
			assertThat(this.characters).isLessThan(400_000);
		}

	}

}
