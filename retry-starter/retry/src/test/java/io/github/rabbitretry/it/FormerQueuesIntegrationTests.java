/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.github.rabbitretry.internal.depth.BrokerDepths;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.amqp.core.Binding;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A policy whose work queue has another name than before.
 */
@ExtendWith(OutputCaptureExtension.class)
class FormerQueuesIntegrationTests {

	private static final String FORMER = "moved";

	private static final String NOW = "moved-v2";

	private static final String EXCHANGE = "moved-events";

	private final TestBroker broker = TestBroker.connect();

	private final List<ConfigurableApplicationContext> applications = new ArrayList<>();

	@BeforeEach
	void clear() {
		Listener.handled.clear();
		Listener.failures.clear();
	}

	@AfterEach
	void remove() throws Exception {
		this.applications.forEach(ConfigurableApplicationContext::close);
		this.broker.deleteAll(FORMER);
		this.broker.deleteAll(NOW);
		this.broker.channel().exchangeDelete(EXCHANGE);
		this.broker.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "simple", "direct" })
	void whatIsInFormerQueuesIsHandledAndContinuesInTheNewOnes(String type, CapturedOutput output) throws Exception {
		ConfigurableApplicationContext before = start(FORMER);
		Listener.failures.put("waiting", 2);
		publish("waiting");
		Awaitility.await().until(() -> this.broker.ready(FORMER + ".retry.2s") == 1);
		close(before);
		this.broker.send(FORMER, TestBroker.json("expired").expiration("1").build(), "{}");
		Awaitility.await().until(() -> this.broker.ready(FORMER + ".dlq") == 1);
		publish("working");
		this.broker.sendJson(FORMER, "by-name", Map.of(), "{}");
		this.broker.sendJson(FORMER + ".quarantine", "quarantined", Map.of(), "{}");
		ConfigurableApplicationContext now = start(NOW, "former-queues=" + FORMER,
				"spring.rabbitmq.listener.type=" + type, "spring.rabbitmq.listener.simple.concurrency=3",
				"spring.rabbitmq.listener.direct.consumers-per-queue=3");
		Awaitility.await()
			.untilAsserted(() -> assertThat(Listener.handled).contains("working on moved, attempt 0",
					"by-name on moved, attempt 0", "quarantined on moved.quarantine, attempt 0"));
		Awaitility.await().untilAsserted(() -> {
			assertThat(this.broker.channel().consumerCount(FORMER)).isEqualTo(3);
			assertThat(this.broker.channel().consumerCount(FORMER + ".quarantine")).isEqualTo(1);
		});
		assertThat(TestBroker.text(this.broker.take(NOW + ".parking-lot"))).containsEntry("x-app-retry-reason",
				"EXPIRED");
		Awaitility.await()
			.untilAsserted(() -> assertThat(Listener.handled.stream().filter((call) -> call.startsWith("waiting")))
				.containsExactly("waiting on moved, attempt 0", "waiting on moved, attempt 1",
						"waiting on moved-v2, attempt 2"));
		publish("by-exchange");
		Awaitility.await()
			.untilAsserted(() -> assertThat(Listener.handled).contains("by-exchange on moved-v2, attempt 0"));
		assertThat(Listener.handled).doesNotHaveDuplicates()
			.doesNotContain("by-exchange on moved, attempt 0")
			.hasSize(7);
		assertThat(output).contains("Also consumes 'moved', a former queue of message policy 'Moved',");
		assertThat(now.getBean(BrokerDepths.class).waiting()).extracting("queue")
			.contains(FORMER, FORMER + ".dlq", FORMER + ".quarantine", FORMER + ".retry.2s");
	}

	@Test
	void aFormerQueueIsNeverDeclaredAndOneThatComesBackIsConsumed(CapturedOutput output) throws Exception {
		start(NOW, "former-queues=" + FORMER);
		publish("first");
		Awaitility.await().until(() -> Listener.handled.contains("first on moved-v2, attempt 0"));
		assertThat(this.broker.queues(FORMER)).isEmpty();
		assertThat(output).contains("Queue 'moved', a former queue of message policy 'Moved', does not exist");
		// an instance of the version before is started again
		ConfigurableApplicationContext before = start(FORMER);
		Awaitility.await().until(() -> this.broker.isConsumed(FORMER));
		close(before);
		this.broker.sendJson(FORMER, "late", Map.of(), "{}");
		this.broker.sendJson(FORMER + ".dlq", "dead", Map.of(), "{}");
		Awaitility.await()
			.atMost(Duration.ofSeconds(45))
			.until(() -> Listener.handled.contains("late on moved, attempt 0"));
		this.broker.take(NOW + ".parking-lot");
		this.broker.deleteAll(FORMER);
		publish("last");
		Awaitility.await().until(() -> Listener.handled.contains("last on moved-v2, attempt 0"));
		Awaitility.await().during(Duration.ofSeconds(2)).until(() -> this.broker.queues(FORMER).isEmpty());
	}

	@Test
	void bothVersionsRunSideBySideWithoutLosingAMessage() throws Exception {
		start(FORMER);
		start(NOW, "former-queues=" + FORMER);
		for (int i = 0; i < 200; i++) {
			if (i % 10 == 0) {
				Listener.failures.put("m" + i, 1);
			}
			publish("m" + i);
			if (i % 2 == 0) {
				this.broker.sendJson(FORMER, "n" + i, Map.of(), "{}");
			}
		}
		Awaitility.await().untilAsserted(() -> assertThat(Listener.handled).hasSize(200 + 100 + 20));
		assertThat(Listener.handled).doesNotHaveDuplicates();
	}

	@ParameterizedTest
	@ValueSource(strings = { "simple", "direct" })
	void withOrderingTheNewQueueIsConsumedOnceTheFormerOnesAreEmpty(String type, CapturedOutput output)
			throws Exception {
		ConfigurableApplicationContext before = start(FORMER, "ordering=queue");
		close(before);
		ConfigurableApplicationContext declared = start(NOW, "ordering=queue");
		close(declared);
		Listener.failures.put("f0", 2);
		List<String> expected = new ArrayList<>(
				List.of("f0 on moved, attempt 0", "f0 on moved, attempt 1", "f0 on moved, attempt 2"));
		for (int i = 0; i < 20; i++) {
			this.broker.sendJson(FORMER, "f" + i, Map.of(), "{}");
			this.broker.sendJson(NOW, "n" + i, Map.of(), "{}");
		}
		for (int i = 1; i < 20; i++) {
			expected.add("f%s on moved, attempt 0".formatted(i));
		}
		for (int i = 0; i < 20; i++) {
			expected.add("n%s on moved-v2, attempt 0".formatted(i));
		}
		ConfigurableApplicationContext now = start(NOW, "ordering=queue", "former-queues=" + FORMER,
				"spring.rabbitmq.listener.type=" + type);
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.untilAsserted(() -> assertThat(Listener.handled).hasSizeGreaterThanOrEqualTo(expected.size()));
		assertThat(Listener.handled).containsExactlyElementsOf(expected);
		assertThat(output)
			.contains("Former queues [moved] of message policy 'Moved' have nothing left: 'moved-v2' is consumed");
		close(now);
		this.broker.sendJson(FORMER, "left", Map.of(), "{}");
		Awaitility.await().pollDelay(Duration.ofSeconds(2)).until(() -> this.broker.ready(FORMER) == 1);
	}

	@Test
	void withOrderingNoQueueIsConsumedWhileListenersAreStopped() throws Exception {
		close(start(FORMER, "ordering=queue"));
		Listener.failures.put("first", 2);
		this.broker.sendJson(FORMER, "first", Map.of(), "{}");
		ConfigurableApplicationContext now = start(NOW, "ordering=queue", "former-queues=" + FORMER);
		Awaitility.await().until(() -> Listener.handled.contains("first on moved, attempt 0"));
		RabbitListenerEndpointRegistry registry = now.getBean(RabbitListenerEndpointRegistry.class);
		registry.stop();
		Awaitility.await()
			.during(Duration.ofSeconds(1))
			.until(() -> this.broker.channel().consumerCount(FORMER) + this.broker.channel().consumerCount(NOW) == 0);
		registry.start();
		this.broker.sendJson(NOW, "second", Map.of(), "{}");
		Awaitility.await().until(() -> Listener.handled.contains("second on moved-v2, attempt 0"));
	}

	@Test
	void aListenerAndABindingThatStillNameTheFormerQueueAreReported(CapturedOutput output) {
		start(NOW, "former-queues=" + FORMER, "spring.test.bound=true", "spring.test.queue=" + FORMER);
		assertThat(output).contains(
				"its messages are not retried. A listener consumes a former queue of the policy: name 'moved-v2' there instead")
			.contains("Bean 'binding' binds former queue 'moved' of message policy 'Moved' to exchange 'moved-events'");
	}

	private void publish(String id) throws Exception {
		BasicProperties properties = TestBroker.json(id).build();
		this.broker.channel().basicPublish(EXCHANGE, "moved.created", true, properties, "{}".getBytes());
		this.broker.channel().waitForConfirmsOrDie(10_000);
	}

	private void close(ConfigurableApplicationContext application) {
		application.close();
		this.applications.remove(application);
	}

	private ConfigurableApplicationContext start(String queue, String... more) {
		List<String> properties = new ArrayList<>(
				List.of("test.queue=" + queue, "rabbit-retry.defaults.retry-backoff=fixed",
						"rabbit-retry.defaults.initial-delay=2s", "rabbit-retry.defaults.local-attempts=1"));
		for (String property : List.of("queue=" + queue, "exchange=" + EXCHANGE, "routing-keys=moved.*")) {
			properties.add("rabbit-retry.message-policies.Moved." + property);
		}
		if (List.of(more).contains("spring.test.queue=" + FORMER)) {
			properties.set(0, "test.queue=" + FORMER);
		}
		for (String property : more) {
			properties
				.add(property.startsWith("spring.") ? property : "rabbit-retry.message-policies.Moved." + property);
		}
		ConfigurableApplicationContext application = TestApplication.start(Application.class,
				properties.toArray(String[]::new));
		this.applications.add(application);
		return application;
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Application {

		@Bean
		@ConditionalOnProperty("spring.test.bound")
		Queue former() {
			return new Queue(FORMER);
		}

		@Bean
		@ConditionalOnProperty("spring.test.bound")
		Binding binding() {
			return new Binding(FORMER, Binding.DestinationType.QUEUE, EXCHANGE, "moved.created", null);
		}

		@Bean
		Listener listener() {
			return new Listener();
		}

	}

	static class Listener {

		static final List<String> handled = new CopyOnWriteArrayList<>();

		static final Map<String, Integer> failures = new ConcurrentHashMap<>();

		@RabbitListener(queues = "${test.queue}")
		void handle(Message message) {
			String id = message.getMessageProperties().getMessageId();
			Integer attempt = message.getMessageProperties().getHeader("x-app-retry-attempt");
			int made = (attempt != null) ? attempt : 0;
			handled.add("%s on %s, attempt %s".formatted(id, message.getMessageProperties().getConsumerQueue(), made));
			if (made < failures.getOrDefault(id, 0)) {
				throw new IllegalStateException("not yet");
			}
		}

	}

}
