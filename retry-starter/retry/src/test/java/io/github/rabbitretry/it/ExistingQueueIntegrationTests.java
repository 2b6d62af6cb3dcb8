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
import java.util.concurrent.atomic.AtomicInteger;

import com.rabbitmq.client.GetResponse;
import io.github.rabbitretry.broker.Broker;
import io.github.rabbitretry.internal.declaration.TopologyMismatchException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.amqp.core.Queue;
import org.springframework.amqp.core.QueueBuilder;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * A work queue that was there before is taken as it is.
 */
class ExistingQueueIntegrationTests {

	private static final String QUEUE = "existing.order";

	private TestBroker broker;

	@BeforeEach
	void connect() {
		assumeTrue(Broker.shared().managementUri().isPresent());
		this.broker = TestBroker.connect();
	}

	@AfterEach
	void remove() {
		this.broker.close();
		this.broker = TestBroker.connect();
		this.broker.deleteAll("existing");
		this.broker.close();
	}

	@ParameterizedTest
	@CsvSource({ "classic, per-type", "quorum, per-type", "classic, shared" })
	void messagesComeBackToItAndAreParkedAndItStaysAsItIs(String type, String ring) throws Exception {
		declare(Map.of("x-queue-type", type, "x-max-length", 1000));
		String before = bindings();
		try (ConfigurableApplicationContext application = start(Application.class,
				"rabbit-retry.message-policies.Order.ring=" + ring)) {
			this.broker.sendJson(QUEUE, "1", Map.of(), "{}");
			GetResponse parked = this.broker.take(QUEUE + ".parking-lot");
			assertThat(TestBroker.text(parked)).containsEntry("x-app-retry-attempt", "1")
				.containsEntry("x-app-origin-queue", QUEUE)
				.containsEntry("x-app-origin-exchange", "")
				.containsEntry("x-app-origin-routing-key", QUEUE);
			assertThat(application.getBean(AtomicInteger.class)).hasValue(2);
		}
		assertThat(bindings()).isEqualTo(before);
		declare(Map.of("x-queue-type", type, "x-max-length", 1000));
	}

	@Test
	void delaysOfAnyLengthLeadBackToIt() throws Exception {
		declare(Map.of());
		try (ConfigurableApplicationContext application = start(Application.class,
				"rabbit-retry.classification.rules[0].exception=java.lang.IllegalStateException",
				"rabbit-retry.classification.rules[0].failure-class=transient",
				"rabbit-retry.classification.rules[0].reason=AWAY",
				"rabbit-retry.classification.rules[0].delay=1250ms")) {
			this.broker.sendJson(QUEUE, "1", Map.of(), "{}");
			assertThat(TestBroker.text(this.broker.take(QUEUE + ".parking-lot"))).containsEntry("x-app-retry-attempt",
					"1");
			assertThat(application.getBean(AtomicInteger.class)).hasValue(2);
		}
	}

	@Test
	void messagesComeBackOnceThoughAnEarlierStartDeclaredIt() {
		String shared = "rabbit-retry.message-policies.Order.ring=shared";
		start(Idle.class, shared, "rabbit-retry.message-policies.Order.work-queue=declare").close();
		try (ConfigurableApplicationContext application = start(Application.class, shared)) {
			this.broker.sendJson(QUEUE, "1", Map.of(), "{}");
			this.broker.take(QUEUE + ".parking-lot");
			Awaitility.await()
				.during(Duration.ofSeconds(1))
				.untilAsserted(() -> assertThat(application.getBean(AtomicInteger.class)).hasValue(2));
		}
	}

	@Test
	void theApplicationMayDeclareItItselfEvenIfItIsNotThereYet() {
		try (ConfigurableApplicationContext application = start(Declaring.class)) {
			this.broker.sendJson(QUEUE, "1", Map.of(), "{}");
			this.broker.take(QUEUE + ".parking-lot");
		}
	}

	@Test
	void itsAbsenceStopsTheStartAndLeavesNothingBehind() {
		assertThatExceptionOfType(TopologyMismatchException.class).isThrownBy(() -> start(Application.class))
			.satisfies((ex) -> assertThat(ex.problems()).singleElement().satisfies((problem) -> {
				assertThat(problem.what()).isEqualTo("queue '%s'".formatted(QUEUE));
				assertThat(problem.problem()).contains("does not exist", "work-queue: existing");
			}));
		assertThat(this.broker.queues("existing")).isEmpty();
		assertThat(this.broker.exchanges("existing")).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "1h", "none" })
	void aStreamIsRefusedAndNothingIsLeftBehind(String age) throws Exception {
		declare(!age.equals("none")
				? Map.of("x-queue-type", "stream", "x-max-age", age, "x-max-length-bytes", 1_000_000)
				: Map.of("x-queue-type", "stream"));
		assertThatExceptionOfType(TopologyMismatchException.class).isThrownBy(() -> start(Application.class))
			.satisfies((ex) -> assertThat(ex.summary()).startsWith("The broker's queues and exchanges"))
			.satisfies((ex) -> assertThat(ex.problems()).singleElement().satisfies((problem) -> {
				assertThat(problem.what()).isEqualTo("queue '%s'".formatted(QUEUE));
				assertThat(problem.problem()).contains("it is a stream");
			}));
		assertThat(this.broker.queues("existing")).containsExactly(QUEUE);
		assertThat(this.broker.exchanges("existing")).isEmpty();
	}

	@Test
	void aStreamThatTheApplicationDeclaresIsRefusedBeforeItIs() {
		assertThatExceptionOfType(TopologyMismatchException.class).isThrownBy(() -> start(Streaming.class))
			.withMessageContaining("it is a stream")
			.satisfies((ex) -> assertThat(ex.summary()).startsWith("The application declares queues or exchanges"));
		assertThat(this.broker.queues("existing")).isEmpty();
	}

	private void declare(Map<String, Object> arguments) throws Exception {
		this.broker.channel().queueDeclare(QUEUE, true, false, false, arguments);
	}

	private static String bindings() {
		return Broker.shared().management().get("/api/queues/%2F/" + QUEUE + "/bindings");
	}

	private static ConfigurableApplicationContext start(Class<?> application, String... more) {
		List<String> properties = new ArrayList<>(List.of("rabbit-retry.defaults.work-queue=existing",
				"rabbit-retry.message-policies.Order.queue=" + QUEUE,
				"rabbit-retry.message-policies.Order.local-attempts=1",
				"rabbit-retry.message-policies.Order.broker-attempts=1",
				"rabbit-retry.message-policies.Order.retry-backoff=fixed",
				"rabbit-retry.message-policies.Order.initial-delay=500ms"));
		properties.addAll(List.of(more));
		return TestApplication.start(application, properties.toArray(String[]::new));
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Idle {

	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Application {

		@Bean
		AtomicInteger calls() {
			return new AtomicInteger();
		}

		@RabbitListener(queues = QUEUE)
		void handle(String order) {
			calls().incrementAndGet();
			throw new IllegalStateException("always");
		}

	}

	@SpringBootConfiguration
	@Import(Application.class)
	static class Declaring {

		@Bean
		Queue order() {
			return new Queue(QUEUE, true, false, false, Map.of("x-queue-type", "classic"));
		}

	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Streaming {

		@Bean
		Queue order() {
			return QueueBuilder.durable(QUEUE).stream().build();
		}

	}

}
