/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.topology.DelayRoute;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tried while nothing else runs: what is measured beside other work is that work.
 */
@Tag("alone")
class DelayAccuracyIntegrationTests {

	private static final int ASKED = 20;

	private static final int OTHERS = 10_000;

	private static final String OTHER = "other";

	private static final Duration AT_LEAST_ALLOWED = Duration.ofSeconds(1);

	private final TestBroker broker = TestBroker.connect();

	@AfterEach
	void remove() throws Exception {
		for (String queue : List.of(Application.OWN, Application.SHARING)) {
			// messages that come down the ladder after this have nowhere to go
			for (String name : List.of(queue + ".parking-lot", queue + ".dlq", queue)) {
				this.broker.channel().queueDelete(name);
			}
		}
		this.broker.close();
	}

	@Test
	void delaysAreExactWhileTenThousandOthersWaitInTheSameRing() throws Exception {
		long seed = System.nanoTime();
		Random random = new Random(seed);
		System.out.println("delay accuracy: seed " + seed);
		Application.reset();
		try (ConfigurableApplicationContext application = start()) {
			for (MessagePolicy policy : application.getBean(MessagePolicies.class).all()) {
				for (int i = 0; i < OTHERS; i++) {
					// all of them still wait when the delays are asked for
					Duration delay = Duration.ofMillis(60_000 + random.nextInt(180_000));
					DelayRoute route = policy.topology().route(delay);
					publish(route.exchange(), route.routingKey(), OTHER, 0);
				}
			}
			this.broker.channel().waitForConfirmsOrDie(60_000);
			Map<String, Integer> asked = new LinkedHashMap<>();
			for (String queue : List.of(Application.OWN, Application.SHARING)) {
				for (int i = 0; i < ASKED; i++) {
					String id = "asked-" + queue + i;
					asked.put(id, 1_000 + random.nextInt(119_001));
					publish("", queue, id, asked.get(id));
				}
			}
			assertThat(Application.othersBack).as("others that came back before").hasValue(0);
			Awaitility.await()
				.atMost(Duration.ofMinutes(4))
				.until(() -> Application.back.keySet().containsAll(asked.keySet()));
			assertThat(application.isActive()).isTrue();
			asked.forEach((id, millis) -> {
				Duration delay = Duration.ofMillis(millis);
				Duration late = Application.back.get(id).minus(delay);
				Duration allowed = delay.dividedBy(50);
				assertThat(late).as("%s, asked for %s, late by", id, delay)
					.isBetween(Duration.ZERO, (allowed.compareTo(AT_LEAST_ALLOWED) > 0) ? allowed : AT_LEAST_ALLOWED);
			});
			tell(asked);
		}
	}

	private static void tell(Map<String, Integer> asked) {
		List<Long> late = new ArrayList<>();
		asked.forEach((id, millis) -> late.add(Application.back.get(id).toMillis() - millis));
		late.sort(null);
		System.out.printf("delay accuracy: %d delays came back %d to %d ms late, median %d%n", late.size(), late.get(0),
				late.get(late.size() - 1), late.get(late.size() / 2));
	}

	private void publish(String exchange, String key, String id, int millis) throws Exception {
		BasicProperties properties = new BasicProperties.Builder().deliveryMode(2)
			.messageId(id)
			.headers(Map.of("ask", millis))
			.build();
		this.broker.channel().basicPublish(exchange, key, true, properties, new byte[0]);
	}

	private static ConfigurableApplicationContext start() {
		return TestApplication.start(Application.class, "rabbit-retry.defaults.local-attempts=1",
				"rabbit-retry.defaults.broker-attempts=1", "rabbit-retry.defaults.retry-backoff=fixed",
				"rabbit-retry.defaults.initial-delay=500ms", "rabbit-retry.defaults.max-retry-age=1h",
				"rabbit-retry.message-policies.Own.queue=" + Application.OWN,
				"rabbit-retry.message-policies.Sharing.queue=" + Application.SHARING,
				"rabbit-retry.message-policies.Sharing.ring=shared",
				"logging.level.io.github.rabbitretry.decisions=warn");
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Application {

		static final String OWN = "accuracy.own";

		static final String SHARING = "accuracy.sharing";

		static final AtomicInteger othersBack = new AtomicInteger();

		static final Map<String, Long> failedAt = new ConcurrentHashMap<>();

		static final Map<String, Duration> back = new ConcurrentHashMap<>();

		static void reset() {
			othersBack.set(0);
			failedAt.clear();
			back.clear();
		}

		@RabbitListener(queues = { OWN, SHARING })
		void handle(Message message) {
			long now = System.nanoTime();
			String id = message.getMessageProperties().getMessageId();
			if (id.equals(OTHER)) {
				othersBack.incrementAndGet();
				return;
			}
			Long failed = failedAt.putIfAbsent(id, now);
			if (failed == null) {
				throw new AskedDelayException(Duration.ofMillis((int) message.getMessageProperties().getHeader("ask")));
			}
			back.put(id, Duration.ofNanos(now - failed));
		}

	}

}
