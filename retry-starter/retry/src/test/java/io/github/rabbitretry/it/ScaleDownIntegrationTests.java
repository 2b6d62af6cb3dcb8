/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.config.ContainerCustomizer;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

/**
 * A consumer that ends closes its channel, and the broker counts that against each
 * message that is held since its copy is not accepted.
 */
class ScaleDownIntegrationTests {

	private static final String QUEUE = "scale.order";

	private final TestBroker broker = TestBroker.connect();

	@AfterEach
	void close() {
		this.broker.deleteAll(QUEUE);
		this.broker.close();
	}

	@Test
	void aConsumerThatWasAddedUnderLoadDoesNotEnd() {
		try (ConfigurableApplicationContext application = TestApplication.start(Application.class,
				"rabbit-retry.message-policies.Order.queue=" + QUEUE, "spring.rabbitmq.listener.simple.concurrency=1",
				"spring.rabbitmq.listener.simple.max-concurrency=3", "spring.rabbitmq.listener.simple.prefetch=1")) {
			SimpleMessageListenerContainer container = (SimpleMessageListenerContainer) application
				.getBean(RabbitListenerEndpointRegistry.class)
				.getListenerContainers()
				.iterator()
				.next();
			for (int number = 0; number < 100; number++) {
				this.broker.sendJson(QUEUE, "m-" + number, Map.of(), "x");
			}
			Awaitility.await().until(() -> container.getActiveConsumerCount() == 3);
			Awaitility.await().until(() -> application.getBean(Listener.class).handled.get() == 100);
			Awaitility.await()
				.during(Duration.ofSeconds(1))
				.atMost(Duration.ofSeconds(2))
				.until(() -> container.getActiveConsumerCount() == 3);
		}
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Application {

		@Bean
		Listener listener() {
			return new Listener();
		}

		@Bean
		ContainerCustomizer<SimpleMessageListenerContainer> scalingAtOnce() {
			return (container) -> {
				container.setStartConsumerMinInterval(1);
				container.setConsecutiveActiveTrigger(1);
				container.setStopConsumerMinInterval(1);
				container.setConsecutiveIdleTrigger(1);
				container.setReceiveTimeout(50);
				container.setImmediateScaleDown(true);
			};
		}

	}

	static class Listener {

		final AtomicInteger handled = new AtomicInteger();

		@RabbitListener(queues = QUEUE)
		void handle(String text) {
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
			this.handled.incrementAndGet();
		}

	}

}
