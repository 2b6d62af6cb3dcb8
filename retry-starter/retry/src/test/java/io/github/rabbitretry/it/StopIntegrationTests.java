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
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

import com.rabbitmq.client.GetResponse;
import io.github.rabbitretry.broker.Broker;
import io.github.rabbitretry.internal.handover.ConfirmedPublishers;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What an orderly stop leaves of messages that were prefetched.
 */
class StopIntegrationTests {

	private static final String QUEUE = "stop.order";

	private static final String FORMER = "stop.former";

	private static final int MESSAGES = 500;

	private final TestBroker broker = TestBroker.connect();

	private final boolean uncounted = !Broker.shared().version().matches("4\\.[0-2]\\..*");

	@BeforeEach
	void clear() {
		Listener.handled.clear();
		this.broker.deleteAll(QUEUE);
		this.broker.deleteAll(FORMER);
	}

	@AfterEach
	void close() {
		this.broker.deleteAll(QUEUE);
		this.broker.deleteAll(FORMER);
		this.broker.close();
	}

	/** Also behind a handler that takes longer than the container waits for it. */
	@ParameterizedTest
	@CsvSource({ "simple, 20", "direct, 20", "simple, 3000", "direct, 3000" })
	void whatIsPrefetchedComesBackAsIfItHadNeverBeenDelivered(String container, int handlerMillis) throws Exception {
		Listener.millis = handlerMillis;
		publish(container);
		try (ConfigurableApplicationContext application = start(container, "--rabbit-retry.shutdown-timeout=6s")) {
			Awaitility.await().until(() -> Listener.handled.size() > 0 && this.broker.ready(QUEUE) == 0);
		}
		List<Map<String, Object>> left = drain(QUEUE);
		assertThat(left).hasSizeGreaterThan(100);
		assertThat(left.size() + Listener.handled.size()).isBetween(MESSAGES, MESSAGES + 1);
		if (this.uncounted) {
			assertThat(left).allSatisfy((headers) -> assertThat(headers).doesNotContainKey("x-delivery-count"));
		}
		else {
			assertThat(left).allSatisfy((headers) -> assertThat(headers.get("x-delivery-count")).isEqualTo(1L));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "simple", "direct" })
	void stopsBringNobodyToQuarantine(String container) throws Exception {
		Listener.millis = 20;
		publish(container);
		// on RabbitMQ 4.0 each of them counts, and two are enough
		int stops = this.uncounted ? 4 : 1;
		for (int stop = 0; stop < stops; stop++) {
			int before = Listener.handled.size();
			try (ConfigurableApplicationContext application = start(container)) {
				Awaitility.await().until(() -> Listener.handled.size() > before && this.broker.ready(QUEUE) == 0);
			}
		}
		Listener.millis = 0;
		try (ConfigurableApplicationContext application = start(container)) {
			Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> Listener.handled.size() >= MESSAGES);
		}
		assertThat(Listener.handled).doesNotHaveDuplicates()
			.hasSize(MESSAGES)
			.allMatch((handled) -> handled.endsWith(" on " + QUEUE));
	}

	/** The threads that handled them returned long before. */
	@ParameterizedTest
	@ValueSource(strings = { "simple", "direct" })
	void whatIsHeldSinceItsRetryQueueIsFullComesBackToo(String container) throws Exception {
		assertHeldComeBack(QUEUE, container, ConfigurableApplicationContext::close);
	}

	@Test
	void soDoesWhatIsHeldOfAFormerQueueWhenItsListenerIsStopped() throws Exception {
		this.broker.channel().queueDeclare(FORMER, true, false, false, Map.of("x-queue-type", "quorum"));
		assertHeldComeBack(FORMER, "simple", (application) -> {
			application.getBean(RabbitListenerEndpointRegistry.class).getListenerContainer("own").stop();
			Awaitility.await().until(() -> this.broker.ready(FORMER) >= 10);
		});
	}

	private void assertHeldComeBack(String queue, String container, Consumer<ConfigurableApplicationContext> stop)
			throws Exception {
		String policy = "/api/policies/%2F/stop-full";
		Broker.shared()
			.management()
			.put(policy,
					"{\"pattern\":\"^stop\\\\.order\\\\.retry\\\\.\",\"apply-to\":\"queues\",\"definition\":{\"max-length\":1}}");
		try (ConfigurableApplicationContext application = start(container, "--rabbit-retry.shutdown-timeout=6s",
				"--rabbit-retry.topology.policies=ignore", "--rabbit-retry.defaults.retry-backoff=fixed",
				"--rabbit-retry.defaults.initial-delay=10m",
				"--rabbit-retry.message-policies.Order.former-queues=" + FORMER)) {
			Listener.millis = -1;
			for (int number = 0; number < 20; number++) {
				this.broker.sendJson(queue, "m-" + number, Map.of(), "x");
			}
			ConfirmedPublishers publishers = application.getBean(ConfirmedPublishers.class);
			Awaitility.await()
				.during(Duration.ofSeconds(1))
				.until(() -> Listener.handled.stream().distinct().count() == 20 && publishers.pending("Order") >= 10);
			stop.accept(application);
			List<Map<String, Object>> left = drain(queue);
			assertThat(left).hasSizeGreaterThanOrEqualTo(10);
			if (this.uncounted) {
				assertThat(left).allSatisfy((headers) -> assertThat(headers).doesNotContainKey("x-delivery-count"));
			}
		}
		finally {
			Broker.shared().management().delete(policy);
		}
	}

	private void publish(String container) throws Exception {
		start(container).close();
		for (int number = 0; number < MESSAGES; number++) {
			this.broker.sendJson(QUEUE, "m-" + number, Map.of(), "x");
		}
	}

	private List<Map<String, Object>> drain(String queue) throws Exception {
		List<Map<String, Object>> left = new ArrayList<>();
		GetResponse next = this.broker.channel().basicGet(queue, true);
		while (next != null) {
			Map<String, Object> headers = next.getProps().getHeaders();
			left.add((headers != null) ? headers : Map.of());
			next = this.broker.channel().basicGet(queue, true);
		}
		return left;
	}

	private static ConfigurableApplicationContext start(String container, String... more) {
		List<String> properties = new ArrayList<>(List.of("rabbit-retry.message-policies.Order.queue=" + QUEUE,
				"spring.rabbitmq.listener.type=" + container, "spring.rabbitmq.listener.simple.prefetch=" + MESSAGES,
				"spring.rabbitmq.listener.direct.prefetch=" + MESSAGES));
		for (String property : more) {
			properties.add(property.substring(2));
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

		static final List<String> handled = new CopyOnWriteArrayList<>();

		static volatile int millis;

		@RabbitListener(id = "own", queues = QUEUE)
		void handle(Message message) {
			handled.add("%s on %s".formatted(message.getMessageProperties().getMessageId(),
					message.getMessageProperties().getConsumerQueue()));
			if (millis < 0) {
				throw new IllegalStateException("a test");
			}
			long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
			while (until - System.nanoTime() > 0) {
				LockSupport.parkNanos(until - System.nanoTime());
			}
		}

	}

}
