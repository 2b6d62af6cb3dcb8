/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it;

import java.net.SocketTimeoutException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import ch.qos.logback.classic.Level;
import io.github.rabbitretry.internal.failure.CapturedLog;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Direct containers call listeners on threads of their connection, which has two for each
 * processor. While these hold the messages of one container, no other can be stopped.
 */
class DirectListenersStopIntegrationTests {

	private static final String FIRST = "direct-stop.first";

	private static final String SECOND = "direct-stop.second";

	private static final int MESSAGES = 60;

	private final TestBroker broker = TestBroker.connect();

	@BeforeEach
	void clear() {
		Listener.works = false;
		Listener.called.clear();
		Listener.handled.clear();
		delete();
	}

	@AfterEach
	void close() {
		delete();
		this.broker.close();
	}

	private void delete() {
		this.broker.deleteAll(FIRST);
		this.broker.deleteAll(SECOND);
	}

	@Test
	void listenersThatHoldAllThreadsOfTheirConnectionAreStoppedInOrder() {
		try (ConfigurableApplicationContext application = start();
				CapturedLog log = new CapturedLog("org.springframework.amqp.rabbit.listener", Level.WARN)) {
			for (int number = 0; number < MESSAGES; number++) {
				this.broker.sendJson((number % 2 == 0) ? FIRST : SECOND, String.valueOf(number), Map.of(), "{}");
			}
			Awaitility.await().until(() -> Listener.called.size() == MESSAGES);
			RabbitListenerEndpointRegistry listeners = application.getBean(RabbitListenerEndpointRegistry.class);
			listeners.stop();
			assertThat(log.lines()).as("consumers that do not end").isEmpty();
			Listener.works = true;
			listeners.start();
			Awaitility.await().until(() -> Listener.handled.size() == MESSAGES);
		}
		assertThat(Listener.handled.values()).as("handled twice").containsOnly(1);
	}

	private static ConfigurableApplicationContext start() {
		int threads = 2 * Runtime.getRuntime().availableProcessors();
		return TestApplication.start(Application.class, "spring.rabbitmq.listener.type=direct",
				"spring.rabbitmq.listener.direct.consumers-per-queue=" + threads,
				"spring.rabbitmq.listener.direct.prefetch=10", "rabbit-retry.defaults.retry-backoff=fixed",
				"rabbit-retry.defaults.initial-delay=200ms", "rabbit-retry.defaults.broker-attempts=40",
				"rabbit-retry.defaults.local-attempts=1", "rabbit-retry.message-policies.First.queue=" + FIRST,
				"rabbit-retry.message-policies.Second.queue=" + SECOND);
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Application {

		@Bean
		Listener listener() {
			return new Listener();
		}

	}

	static class Listener {

		static final Set<String> called = ConcurrentHashMap.newKeySet();

		static final Map<String, Integer> handled = new ConcurrentHashMap<>();

		static volatile boolean works;

		@RabbitListener(queues = FIRST)
		void first(Message message) throws Exception {
			handle(message);
		}

		@RabbitListener(queues = SECOND)
		void second(Message message) throws Exception {
			handle(message);
		}

		private static void handle(Message message) throws Exception {
			String id = message.getMessageProperties().getMessageId();
			called.add(id);
			if (!works) {
				throw new SocketTimeoutException("no answer");
			}
			handled.merge(id, 1, Integer::sum);
		}

	}

}
