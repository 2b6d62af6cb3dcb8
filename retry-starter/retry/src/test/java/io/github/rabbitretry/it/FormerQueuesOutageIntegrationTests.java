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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Probes of an outage take one message at a time of former queues too. Before RabbitMQ
 * 4.3, each stop counts as a death of all that was prefetched.
 */
class FormerQueuesOutageIntegrationTests {

	private static final String FORMER = "former-outage";

	private static final String NOW = "former-outage-v2";

	private final TestBroker broker = TestBroker.connect();

	@AfterEach
	void remove() {
		this.broker.deleteAll(FORMER);
		this.broker.deleteAll(NOW);
		this.broker.close();
	}

	@Test
	void anOutageDoesNotPutTheFormerQueueIntoQuarantine() {
		start(FORMER).close();
		for (int i = 0; i < 400; i++) {
			this.broker.sendJson(FORMER, "m" + i, Map.of(), "{}");
		}
		try (ConfigurableApplicationContext now = start(NOW, "former-queues=" + FORMER)) {
			assertThat(now.isRunning()).isTrue();
			Awaitility.await()
				.during(Duration.ofSeconds(25))
				.atMost(Duration.ofSeconds(30))
				.untilAsserted(
						() -> assertThat(this.broker.ready(NOW + ".quarantine")).as("in quarantine").isLessThan(20));
		}
	}

	private ConfigurableApplicationContext start(String queue, String... more) {
		List<String> properties = new ArrayList<>(List.of("test.queue=" + queue,
				"spring.rabbitmq.listener.simple.concurrency=8", "spring.rabbitmq.listener.simple.prefetch=50"));
		for (String property : List.of("queue=" + queue, "retry-backoff=fixed", "initial-delay=2s", "local-attempts=1",
				"max-retry-age=30m", "outage.enabled=true", "outage.calls=5", "outage.resume-calls=3",
				"outage.probe-interval=5s", "outage.max-probe-interval=5s")) {
			properties.add("rabbit-retry.message-policies.Former." + property);
		}
		for (String property : more) {
			properties.add("rabbit-retry.message-policies.Former." + property);
		}
		return TestApplication.start(Application.class, properties.toArray(String[]::new));
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

		@RabbitListener(queues = "${test.queue}")
		void handle(Message message) throws Exception {
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(500));
			throw new SocketTimeoutException("down");
		}

	}

}
