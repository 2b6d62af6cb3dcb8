/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it;

import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.github.rabbitretry.handler.DiscardMessageException;
import io.github.rabbitretry.handler.ParkMessageException;
import io.github.rabbitretry.handler.ReturnMessageException;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.config.SimpleRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each delivery has one outcome or is in flight, whoever handles it and whatever happens
 * to its connection.
 */
class AccountingIntegrationTests {

	private static final List<String> TYPES = List.of("Single", "Batch", "Async", "Ordered", "Keyed", "Timed");

	private static final int MESSAGES = 150;

	private static final Duration LONG = Duration.ofMinutes(1);

	private final TestBroker broker = TestBroker.connect();

	private @Nullable ConfigurableApplicationContext application;

	@BeforeEach
	void clean() {
		TYPES.forEach((type) -> this.broker.deleteAll(queue(type)));
		Listeners.reached = new CountDownLatch(1);
		Listeners.blocked = new CountDownLatch(1);
	}

	@AfterEach
	void stop() {
		Listeners.blocked.countDown();
		if (this.application != null) {
			this.application.close();
		}
		TYPES.forEach((type) -> this.broker.deleteAll(queue(type)));
		this.broker.close();
	}

	@Test
	void balancesUnderLoadWhileConnectionsAreCut() {
		ConfigurableApplicationContext running = start();
		Random random = new Random(14);
		List<String> what = List.of("ok", "ok", "ok", "ok", "fail", "fail", "park", "discard", "return", "slow");
		for (int i = 0; i < MESSAGES; i++) {
			for (String type : TYPES) {
				send(type, what.get(random.nextInt(what.size())), i);
			}
		}
		running.getBean(RabbitListenerEndpointRegistry.class).start();
		for (int cut = 0; cut < 2; cut++) {
			long handled = outcomes("received");
			Awaitility.await().atMost(LONG).until(() -> outcomes("received") > handled + 30);
			TYPES.forEach(this::assertNoGapLasts);
			running.getBean(CachingConnectionFactory.class).createConnection().getDelegate().abort();
		}
		Awaitility.await()
			.atMost(LONG)
			.pollInterval(Duration.ofMillis(200))
			.untilAsserted(() -> TYPES.forEach((type) -> {
				assertThat(inQueues(type)).as("%s in its queues", type).isZero();
				assertThat(gauge("rabbit.retry.in.flight", type)).as("%s in flight", type).isZero();
				// a delivery is counted a moment after it is settled
				assertThat(gauge("rabbit.retry.accounting.gap", type)).as(type).isZero();
				assertThat(count(type, "received")).as(type)
					.isGreaterThanOrEqualTo(MESSAGES)
					.isEqualTo(Stream.of("acked", "retried", "parked", "discarded", "returned")
						.mapToDouble((outcome) -> count(type, outcome))
						.sum());
			}));
		assertThat(Stream.of("acked", "retried", "parked", "discarded", "returned").map(this::outcomes))
			.allSatisfy((number) -> assertThat(number).isPositive());
	}

	@Test
	void whatAHandlerHoldsIsInFlight() throws Exception {
		ConfigurableApplicationContext running = start();
		send("Single", "block", 1);
		running.getBean(RabbitListenerEndpointRegistry.class).start();
		assertThat(Listeners.reached.await(30, TimeUnit.SECONDS)).isTrue();
		assertThat(gauge("rabbit.retry.in.flight", "Single")).isOne();
		assertThat(gauge("rabbit.retry.accounting.gap", "Single")).isZero();
		Listeners.blocked.countDown();
		Awaitility.await().until(() -> gauge("rabbit.retry.in.flight", "Single") == 0);
		assertThat(gauge("rabbit.retry.accounting.gap", "Single")).isZero();
	}

	@Test
	void anOrderedMessageWhoseChannelClosedIsReturnedAndNotRetried() throws Exception {
		ConfigurableApplicationContext running = start();
		send("Ordered", "block", 1);
		running.getBean(RabbitListenerEndpointRegistry.class).start();
		assertThat(Listeners.reached.await(30, TimeUnit.SECONDS)).isTrue();
		running.getBean(CachingConnectionFactory.class).createConnection().getDelegate().abort();
		// it came back and waits for the handler's first call
		Listeners.blocked.countDown();
		Awaitility.await().atMost(LONG).until(() -> count("Ordered", "acked") == 1);
		assertThat(count("Ordered", "returned")).isOne();
		assertThat(count("Ordered", "retried")).isZero();
		assertThat(gauge("rabbit.retry.accounting.gap", "Ordered")).isZero();
	}

	/** As a scrape sees it. */
	private void assertNoGapLasts(String type) {
		Awaitility.await()
			.pollDelay(Duration.ZERO)
			.pollInterval(Duration.ofMillis(20))
			.atMost(Duration.ofSeconds(5))
			.untilAsserted(() -> assertThat(gauge("rabbit.retry.accounting.gap", type)).as(type).isZero());
	}

	private ConfigurableApplicationContext start() {
		List<String> properties = new ArrayList<>(List.of("spring.rabbitmq.listener.simple.auto-startup=false",
				"rabbit-retry.defaults.retry-backoff=fixed", "rabbit-retry.defaults.initial-delay=100ms",
				"rabbit-retry.defaults.broker-attempts=2", "rabbit-retry.defaults.local-attempts=1",
				"rabbit-retry.defaults.delivery-limit=1000", "rabbit-retry.message-policies.Ordered.ordering=queue",
				"rabbit-retry.message-policies.Keyed.ordering=key",
				"rabbit-retry.message-policies.Keyed.ordering-key=header:key",
				"rabbit-retry.message-policies.Timed.handler-timeout=100ms"));
		TYPES.forEach((type) -> properties.add("rabbit-retry.message-policies." + type + ".queue=" + queue(type)));
		ConfigurableApplicationContext running = TestApplication.start(Application.class,
				properties.toArray(String[]::new));
		this.application = running;
		return running;
	}

	private static String queue(String type) {
		return "accounted." + type.toLowerCase();
	}

	private void send(String type, String what, int number) {
		this.broker.sendJson(queue(type), type + "-" + number, Map.of("what", what, "key", "k-" + number % 20), "{}");
	}

	private long inQueues(String type) {
		return this.broker.queues(queue(type))
			.stream()
			.filter((queue) -> !queue.endsWith(".parking-lot"))
			.mapToLong(this.broker::ready)
			.sum();
	}

	private long outcomes(String outcome) {
		return TYPES.stream().mapToLong((type) -> (long) count(type, outcome)).sum();
	}

	private double count(String type, String outcome) {
		Counter counter = registry().get("rabbit.retry.deliveries")
			.tags("message_type", type, "outcome", outcome)
			.counter();
		return counter.count();
	}

	private double gauge(String name, String type) {
		return registry().get(name).tag("message_type", type).gauge().value();
	}

	private MeterRegistry registry() {
		assertThat(this.application).isNotNull();
		return this.application.getBean(MeterRegistry.class);
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Application {

		@Bean
		MeterRegistry registry() {
			return new SimpleMeterRegistry();
		}

		@Bean
		Listeners listeners() {
			return new Listeners();
		}

		@Bean
		static SimpleRabbitListenerContainerFactory gathering(ConnectionFactory connectionFactory) {
			SimpleRabbitListenerContainerFactory factory = new SimpleRabbitListenerContainerFactory();
			factory.setConnectionFactory(connectionFactory);
			factory.setBatchListener(true);
			factory.setConsumerBatchEnabled(true);
			factory.setBatchSize(10);
			factory.setReceiveTimeout(50L);
			factory.setAutoStartup(false);
			return factory;
		}

	}

	static class Listeners {

		static volatile CountDownLatch reached = new CountDownLatch(1);

		static volatile CountDownLatch blocked = new CountDownLatch(1);

		@RabbitListener(queues = "accounted.single", concurrency = "3")
		void single(Message message) throws Exception {
			handle(message);
		}

		@RabbitListener(queues = "accounted.batch", containerFactory = "gathering")
		void batch(List<Message> messages) throws Exception {
			for (Message message : messages) {
				handle(message);
			}
		}

		@RabbitListener(queues = "accounted.async")
		CompletableFuture<Void> async(Message message) {
			return CompletableFuture.runAsync(() -> {
				try {
					handle(message);
				}
				catch (RuntimeException ex) {
					throw ex;
				}
				catch (Exception ex) {
					throw new CompletionException(ex);
				}
			});
		}

		@RabbitListener(queues = "accounted.ordered")
		void ordered(Message message) throws Exception {
			handle(message);
		}

		@RabbitListener(queues = "accounted.keyed", concurrency = "3")
		void keyed(Message message) throws Exception {
			handle(message);
		}

		@RabbitListener(queues = "accounted.timed", concurrency = "2")
		void timed(Message message) throws Exception {
			handle(message);
		}

		/** Until it is interrupted. */
		private static void work(long millis) throws InterruptedException {
			assertThat(new CountDownLatch(1).await(millis, TimeUnit.MILLISECONDS)).isFalse();
		}

		private static void handle(Message message) throws Exception {
			String what = message.getMessageProperties().getHeader("what");
			boolean first = !message.getMessageProperties().isRedelivered()
					&& message.getMessageProperties().getHeader("x-app-retry-attempt") == null;
			switch (what) {
				case "fail" -> throw new SocketTimeoutException("no answer");
				case "park" -> throw ParkMessageException.because("NO_SUCH_ORDER");
				case "discard" -> throw DiscardMessageException.because("STALE");
				case "slow" -> work(first ? 150 : 5);
				case "return" -> {
					if (first) {
						throw ReturnMessageException.because("NOT_HERE");
					}
				}
				case "block" -> {
					if (first) {
						reached.countDown();
						blocked.await();
						throw new SocketTimeoutException("no answer");
					}
				}
				default -> work(1);
			}
		}

	}

}
