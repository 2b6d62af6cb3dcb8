/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.rabbitretry.broker.Broker;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What policies of the broker do to messages, although our queues declare otherwise.
 */
class BrokerPolicyEffectsIntegrationTests {

	private static final String QUEUE = "policed.order";

	private static final String POLICY = "policed-orders";

	private static final int MESSAGES = 60;

	private final TestBroker broker = TestBroker.connect();

	private ConfigurableApplicationContext application;

	@BeforeEach
	void forget() {
		Application.calls.clear();
	}

	@AfterEach
	void stop() {
		this.application.close();
		Broker.shared().management().delete("/api/policies/%2F/" + POLICY);
		this.broker.deleteAll(QUEUE);
		this.broker.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "quorum", "classic" })
	void messagesThatATimeToLiveBringsBackEarlyWaitOn(String queueType) throws Exception {
		start(queueType, "broker-attempts=2", "initial-delay=1s");
		policy("\\\\.(retry|delay)\\\\.", "{\"message-ttl\":100}");
		send(QUEUE);
		Awaitility.await()
			.atMost(Duration.ofSeconds(40))
			.until(() -> this.broker.ready(QUEUE + ".parking-lot") == MESSAGES);
		assertThat(Application.calls).hasSize(MESSAGES).values().allSatisfy((calls) -> {
			assertThat(calls).hasSize(3);
			assertThat(Duration.between(calls.get(0), calls.get(1))).isGreaterThanOrEqualTo(Duration.ofMillis(950));
			assertThat(Duration.between(calls.get(1), calls.get(2))).isGreaterThanOrEqualTo(Duration.ofMillis(950));
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "quorum", "classic" })
	void aLengthLimitOfAPolicyDropsNoParkedMessage(String queueType) throws Exception {
		start(queueType, "broker-attempts=0");
		policy("\\\\.parking-lot$", "{\"max-length\":20}");
		send(QUEUE);
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.until(() -> Application.calls.size() == MESSAGES && this.broker.ready(QUEUE + ".parking-lot") >= 20);
		List<String> parked = new ArrayList<>();
		Awaitility.await().atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(50)).until(() -> {
			this.broker.drain(QUEUE + ".parking-lot")
				.forEach((message) -> parked.add(message.getProps().getMessageId()));
			return parked.size() >= MESSAGES;
		});
		assertThat(parked).containsOnlyOnceElementsOf(Application.calls.keySet());
	}

	@Test
	void aLengthLimitOfAPolicyDropsNoDeadLetter() throws Exception {
		start("quorum", "broker-attempts=0");
		this.application.close();
		policy("\\\\.dlq$", "{\"max-length\":20}");
		send(QUEUE);
		int rejected = 0;
		while (rejected < MESSAGES) {
			this.broker.channel()
				.basicReject(this.broker.channel().basicGet(QUEUE, false).getEnvelope().getDeliveryTag(), false);
			rejected++;
		}
		Awaitility.await().until(() -> this.broker.ready(QUEUE + ".dlq") >= 20);
		Broker.shared().management().delete("/api/policies/%2F/" + POLICY);
		assertThat(this.broker.take(QUEUE + ".dlq").getProps().getMessageId()).isEqualTo("m-0");
	}

	@Test
	void aTimeToLiveOfAPolicyDropsNoDeadLetter() {
		start("classic", "broker-attempts=0");
		this.application.close();
		this.broker.purgeUnroutable();
		policy("\\\\.dlq$", "{\"message-ttl\":100}");
		send(QUEUE + ".dlq");
		Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> this.broker.unroutable() == MESSAGES);
		this.broker.purgeUnroutable();
	}

	private void start(String queueType, String... properties) {
		List<String> arguments = new ArrayList<>(List.of("rabbit-retry.topology.queue-type=" + queueType));
		String policy = "rabbit-retry.message-policies.Order.";
		arguments
			.addAll(List.of(policy + "queue=" + QUEUE, policy + "local-attempts=1", policy + "retry-backoff=fixed"));
		for (String property : properties) {
			arguments.add(policy + property);
		}
		this.application = TestApplication.start(Application.class, arguments.toArray(String[]::new));
	}

	private static void policy(String end, String definition) {
		Broker.shared()
			.management()
			.put("/api/policies/%2F/" + POLICY, "{\"pattern\":\"^policed\\\\.order.*" + end
					+ "\",\"apply-to\":\"queues\",\"definition\":" + definition + "}");
	}

	private void send(String queue) {
		for (int number = 0; number < MESSAGES; number++) {
			this.broker.sendJson(queue, "m-" + number, Map.of(), "{}");
		}
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Application {

		static final Map<String, List<Instant>> calls = new ConcurrentHashMap<>();

		@RabbitListener(queues = QUEUE)
		void handle(Message message) {
			calls.computeIfAbsent(message.getMessageProperties().getMessageId(), (id) -> new CopyOnWriteArrayList<>())
				.add(Instant.now());
			throw new IllegalStateException("never mind");
		}

	}

}
