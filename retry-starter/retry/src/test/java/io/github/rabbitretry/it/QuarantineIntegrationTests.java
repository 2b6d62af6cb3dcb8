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
import java.util.concurrent.CopyOnWriteArrayList;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.GetResponse;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageListenerContainer;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Messages whose consumers died, as the broker counts them.
 */
class QuarantineIntegrationTests {

	private static final String ONE = "crash.one";

	private static final String TWO = "crash.two";

	private final TestBroker broker = TestBroker.connect();

	private ConfigurableApplicationContext application;

	@AfterEach
	void stop() throws Exception {
		this.application.close();
		for (String queue : List.of(ONE, TWO)) {
			for (String suffix : List.of("", ".quarantine", ".parking-lot", ".dlq", ".retry.200ms")) {
				this.broker.channel().queueDelete(queue + suffix);
			}
		}
		this.broker.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "simple", "direct" })
	void anInnocentIsHandledInQuarantineAloneAndItsRetriesInTheNormalRing(String type) throws Exception {
		start("spring.rabbitmq.listener.type=" + type, "spring.rabbitmq.listener.simple.concurrency=4",
				"spring.rabbitmq.listener.direct.consumers-per-queue=4");
		own().stop();
		crashed(ONE, "innocent", 2);
		Listener.failures.add("innocent");
		own().start();
		Awaitility.await().until(() -> Listener.handled.size() == 2);
		assertThat(Listener.handled).containsExactly("innocent on crash.one.quarantine, attempt null",
				"innocent on crash.one, attempt 1");
		assertThat(this.broker.channel().consumerCount(ONE + ".quarantine")).isEqualTo(1);
		assertThat(this.broker.channel().consumerCount(ONE)).isEqualTo(4);
	}

	@Test
	void whoeverKillsItsConsumerInQuarantineTooIsParkedUnhandled() throws Exception {
		start();
		own().stop();
		awaitConsumers(ONE + ".quarantine", 0);
		this.broker.sendJson(ONE + ".quarantine", "poison", Map.of("x-delivery-count", 77L), "poison");
		crash(ONE + ".quarantine", 2);
		own().start();
		Map<String, Object> headers = RetryLifecycleIntegrationTests.text(this.broker.take(ONE + ".parking-lot"));
		assertThat(headers).containsEntry("x-app-retry-reason", "DELIVERY_LIMIT")
			.containsEntry("x-app-retry-class", "poison")
			.doesNotContainKey("x-delivery-count");
		assertThat(Listener.handled).isEmpty();
	}

	@Test
	void aDeliveryCountThatAClientSentIsNotBelieved() {
		start();
		this.broker.sendJson(ONE, "honest", Map.of("x-delivery-count", 77L), "honest");
		this.broker.sendJson(ONE + ".quarantine", "liar", Map.of("x-delivery-count", 77L), "liar");
		Awaitility.await().until(() -> Listener.handled.size() == 2);
		assertThat(Listener.handled).containsExactlyInAnyOrder("honest on crash.one, attempt null",
				"liar on crash.one.quarantine, attempt null");
	}

	@Test
	void whatTheBrokerGaveUpBeforeItWasSeenIsQuarantinedByTheDeadLetterConsumer() throws Exception {
		start("rabbit-retry.message-policies.One.delivery-limit=1");
		own().stop();
		crashed(ONE, "innocent", 2);
		Awaitility.await().until(() -> this.broker.ready(ONE + ".quarantine") == 1);
		own().start();
		Awaitility.await().until(() -> Listener.handled.size() == 1);
		assertThat(Listener.handled).containsExactly("innocent on crash.one.quarantine, attempt null");
	}

	@Test
	void aMessageWhoseCountReachedTheLimitIsStillSeen() throws Exception {
		start("rabbit-retry.message-policies.One.delivery-limit=2", "rabbit-retry.dead-letter-consumer.enabled=false");
		own().stop();
		crashed(ONE, "innocent", 2);
		own().start();
		Awaitility.await().until(() -> Listener.handled.size() == 1);
		assertThat(Listener.handled).containsExactly("innocent on crash.one.quarantine, attempt null");
	}

	@Test
	void theQuarantineOfEachQueueRunsNextToItsListener() throws Exception {
		start();
		RabbitListenerEndpointRegistry registry = this.application.getBean(RabbitListenerEndpointRegistry.class);
		assertThat(registry.getListenerContainerIds()).containsExactly("crashing");
		assertThat(registry.getListenerContainers()).hasSize(1);
		awaitConsumers(ONE + ".quarantine", 1);
		awaitConsumers(TWO + ".quarantine", 1);
		own().stop();
		awaitConsumers(ONE + ".quarantine", 0);
		awaitConsumers(TWO + ".quarantine", 0);
		this.broker.sendJson(TWO + ".quarantine", "later", Map.of(), "later");
		own().start();
		Awaitility.await().until(() -> Listener.handled.size() == 1);
		registry.stop();
		assertThat(this.broker.channel().consumerCount(ONE + ".quarantine")).isZero();
		registry.start();
		awaitConsumers(ONE + ".quarantine", 1);
	}

	@Test
	void anEmptyQuarantineHasNoThreadWhateverTheListenersContainer() throws Exception {
		start("spring.rabbitmq.listener.simple.concurrency=4");
		awaitConsumers(ONE + ".quarantine", 1);
		awaitConsumers(TWO + ".quarantine", 1);
		this.broker.sendJson(TWO + ".quarantine", "handled", Map.of(), "handled");
		Awaitility.await().until(() -> Listener.handled.size() == 1);
		// Spring AMQP's monitor of all of them, however many
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.untilAsserted(() -> assertThat(quarantineThreads()).isNotEmpty()
				.allMatch((name) -> name.startsWith("rabbit-retry-quarantine-monitor")));
	}

	private static List<String> quarantineThreads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.map(Thread::getName)
			.filter((name) -> name.contains("quarantine") || name.matches("rabbit-retry-dead-letters-\\d+"))
			.filter((name) -> !name.startsWith("AMQP Connection"))
			.toList();
	}

	@Test
	void withoutTheKeyThereIsNoQuarantine() throws Exception {
		start("rabbit-retry.defaults.poison.quarantine-after=0");
		own().stop();
		crashed(ONE, "innocent", 3);
		own().start();
		Awaitility.await().until(() -> Listener.handled.size() == 1);
		assertThat(Listener.handled).containsExactly("innocent on crash.one, attempt null");
	}

	private void start(String... more) {
		Listener.handled.clear();
		Listener.failures.clear();
		List<String> properties = new ArrayList<>(List.of("rabbit-retry.message-policies.One.queue=" + ONE,
				"rabbit-retry.message-policies.Two.queue=" + TWO, "rabbit-retry.defaults.retry-backoff=fixed",
				"rabbit-retry.defaults.initial-delay=200ms", "rabbit-retry.defaults.local-attempts=1"));
		properties.addAll(List.of(more));
		this.application = TestApplication.start(Application.class, properties.toArray(String[]::new));
	}

	private MessageListenerContainer own() {
		return this.application.getBean(RabbitListenerEndpointRegistry.class).getListenerContainer("crashing");
	}

	private void awaitConsumers(String queue, long count) {
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.until(() -> this.broker.channel().consumerCount(queue) == count);
	}

	/** Sends a message and has consumers die with it. */
	private void crashed(String queue, String id, int times) throws Exception {
		this.broker.sendJson(queue, id, Map.of(), id);
		crash(queue, times);
	}

	/** A channel that closes with an unsettled delivery is what the broker sees of it. */
	private void crash(String queue, int times) throws Exception {
		for (int i = 0; i < times; i++) {
			Channel dying = this.broker.channel().getConnection().createChannel();
			GetResponse delivery = Awaitility.await().until(() -> dying.basicGet(queue, false), (got) -> got != null);
			assertThat(delivery).isNotNull();
			dying.close();
		}
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

		static final List<String> handled = new CopyOnWriteArrayList<>();

		static final List<String> failures = new CopyOnWriteArrayList<>();

		@RabbitListener(id = "crashing", queues = { ONE, TWO })
		void handle(Message message) throws Exception {
			String id = message.getMessageProperties().getMessageId();
			handled.add("%s on %s, attempt %s".formatted(id, message.getMessageProperties().getConsumerQueue(),
					message.getMessageProperties().getHeaders().get("x-app-retry-attempt")));
			if (failures.remove(id)) {
				throw new SocketTimeoutException("not now");
			}
		}

	}

}
