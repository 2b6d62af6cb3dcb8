/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it;

import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An outage under {@code retry-ratio}.
 */
class RetryRatioIntegrationTests {

	private static final String QUEUE = "ratio.order";

	private static final String BURST = "ratio.burst";

	private static final int MESSAGES = 50;

	private static final int AT_LEAST = 5;

	private static final Duration WINDOW = Duration.ofSeconds(2);

	private static final Duration OUTAGE = Duration.ofSeconds(8);

	private final TestBroker broker = TestBroker.connect();

	private ConfigurableApplicationContext application;

	@BeforeEach
	void start() {
		this.application = TestApplication.start(Application.class,
				"rabbit-retry.message-policies.Order.queue=" + QUEUE,
				"rabbit-retry.message-policies.Order.retry-backoff=fixed",
				"rabbit-retry.message-policies.Order.initial-delay=200ms",
				"rabbit-retry.message-policies.Order.max-delay=1s",
				"rabbit-retry.message-policies.Order.broker-attempts=20",
				"rabbit-retry.message-policies.Order.local-attempts=2",
				"rabbit-retry.message-policies.Order.local-delay=1ms",
				"rabbit-retry.message-policies.Order.retry-ratio.max=0.1",
				"rabbit-retry.message-policies.Order.retry-ratio.window=" + WINDOW,
				"rabbit-retry.message-policies.Order.retry-ratio.at-least=" + AT_LEAST,
				"rabbit-retry.message-policies.Burst.queue=" + BURST,
				"rabbit-retry.message-policies.Burst.initial-delay=500ms",
				"rabbit-retry.message-policies.Burst.retry-ratio.max=0.2",
				"rabbit-retry.message-policies.Burst.retry-ratio.window=1s",
				"rabbit-retry.message-policies.Burst.retry-ratio.at-least=2");
		Listener.reset();
	}

	@AfterEach
	void stop() throws Exception {
		this.application.close();
		this.broker.deleteAll(QUEUE);
		this.broker.deleteAll(BURST);
		this.broker.close();
	}

	@Test
	void anOutageCausesFewRetriesAndUsesUpNoAttempt() {
		for (int i = 0; i < MESSAGES; i++) {
			this.broker.sendJson(QUEUE, "m-" + i, Map.of(), "{}");
		}
		Awaitility.await().pollDelay(OUTAGE).atMost(OUTAGE.plusSeconds(10)).until(() -> true);
		int calls = Listener.calls.get();
		Listener.down = false;
		// a tenth of the first deliveries, and what is always allowed in each window
		// begun
		long windows = OUTAGE.plusSeconds(10).dividedBy(WINDOW);
		assertThat(calls - MESSAGES).as("retries while all failed")
			.isGreaterThanOrEqualTo(AT_LEAST)
			.isLessThanOrEqualTo((int) (MESSAGES / 10 + AT_LEAST * windows));
		assertThat(this.broker.ready(QUEUE + ".parking-lot")).as("parked").isZero();
		assertThat(this.application.getBean(MeterRegistry.class)
			.get("rabbit.retry.throttled")
			.tag("message_type", "Order")
			.counter()
			.count()).isGreaterThan(MESSAGES);
		Awaitility.await().atMost(Duration.ofMinutes(3)).until(() -> Listener.succeeded.size() == MESSAGES);
		assertThat(this.broker.ready(QUEUE + ".parking-lot")).as("parked").isZero();
	}

	/** A short outage during traffic, and then nothing arrives any more. */
	@Test
	void whatAShortOutageDelayedIsHandledSoonAfterItAndNotParked() {
		long begin = System.nanoTime();
		for (int i = 0; i < MESSAGES; i++) {
			String id = "b-" + i;
			if (i == MESSAGES / 2) {
				assertThat(Listener.succeeded).isEmpty();
				Listener.down = false;
			}
			Awaitility.await()
				.pollInterval(Duration.ofMillis(5))
				.until(() -> System.nanoTime() - begin > Integer.parseInt(id.substring(2)) * 50_000_000L);
			this.broker.sendJson(BURST, id, Map.of(), "{}");
		}
		Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> Listener.succeeded.size() == MESSAGES);
		assertThat(this.broker.ready(BURST + ".parking-lot")).as("parked").isZero();
		assertThat(this.application.getBean(MeterRegistry.class)
			.get("rabbit.retry.throttled")
			.tag("message_type", "Burst")
			.counter()
			.count()).isPositive();
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Application {

		@Bean
		MeterRegistry meters() {
			return new SimpleMeterRegistry();
		}

		@Bean
		Listener listener() {
			return new Listener();
		}

	}

	static class Listener {

		static final AtomicInteger calls = new AtomicInteger();

		static final Set<String> succeeded = ConcurrentHashMap.newKeySet();

		static volatile boolean down;

		static void reset() {
			calls.set(0);
			succeeded.clear();
			down = true;
		}

		@RabbitListener(queues = { QUEUE, BURST })
		void handle(Message message) throws Exception {
			calls.incrementAndGet();
			if (down) {
				throw new SocketTimeoutException("no answer");
			}
			succeeded.add(message.getMessageProperties().getMessageId());
		}

	}

}
