/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

import ch.qos.logback.classic.Level;
import com.rabbitmq.client.GetResponse;
import io.github.rabbitretry.internal.failure.CapturedLog;
import io.github.rabbitretry.internal.health.HealthProblem;
import io.github.rabbitretry.internal.listener.RetryContainerConfigurer;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageListenerContainer;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;

class OrderingIntegrationTests {

	private static final String QUEUE = "ordered";

	private static final String ORDER = "rabbit-retry.message-policies.Order.";

	private final TestBroker broker = TestBroker.connect();

	private final List<ConfigurableApplicationContext> applications = new ArrayList<>();

	@BeforeEach
	void clean() {
		this.broker.deleteAll(QUEUE);
		Handler.calls.clear();
		Handler.handled.clear();
		Handler.lines.clear();
		Handler.running.set(0);
		Handler.atOnce.set(0);
		Handler.works = Duration.ZERO;
		Handler.repaired = false;
		Handler.stops = null;
	}

	@AfterEach
	void stop() {
		this.applications.forEach(ConfigurableApplicationContext::close);
		this.broker.deleteAll(QUEUE);
		this.broker.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "simple", "direct" })
	void messagesOfAQueueAreHandledInTheOrderInWhichTheyWereSent(String type) {
		start(type, "queue", "20ms");
		for (int i = 0; i < 100; i++) {
			send(i, "a", (i % 10 == 3) ? 1 + i % 3 : 0);
		}
		awaitHandled(100);
		assertThat(Handler.handled).isEqualTo(numbers(0, 100));
		assertThat(Handler.atOnce).as("at once").hasValue(1);
	}

	@ParameterizedTest
	@ValueSource(strings = { "simple", "direct" })
	void messagesOfAKeyAreHandledInOrderAndHoldNoOtherKey(String type) {
		start(type, "key", "1s", ORDER + "ordering-key=header:customer", stopped(type));
		send(0, "slow", 2);
		send(1, "slow", 0);
		for (int i = 2; i < 50; i++) {
			send(i, "c-" + i % 5, 0);
		}
		listeners(0).start();
		awaitHandled(50);
		assertThat(Handler.handled.subList(48, 50)).containsExactly(0, 1);
		for (int customer = 0; customer < 5; customer++) {
			int its = customer;
			assertThat(Handler.handled.stream().filter((number) -> number > 1 && number % 5 == its)).isSorted();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "simple", "direct" })
	void threadsHandleMessagesOfDifferentKeysAtOnce(String type) {
		start(type, "key", "20ms", ORDER + "ordering-key=header:customer", stopped(type));
		Handler.works = Duration.ofMillis(200);
		for (int i = 0; i < 8; i++) {
			send(i, "c-" + i, 0);
		}
		listeners(0).start();
		awaitHandled(8);
		assertThat(Handler.atOnce).as("at once").hasValue(4);
	}

	@Test
	void thoseBehindAParkedMessageAreHandled() {
		start("simple", "queue", "20ms");
		send(0, "a", 99);
		send(1, "a", 0);
		awaitHandled(1);
		assertThat(Handler.calls).containsExactly("0", "0 again", "0 again", "0 again", "1");
		GetResponse parked = this.broker.take(QUEUE + ".parking-lot");
		assertThat(TestBroker.text(parked)).containsEntry("x-app-retry-attempt", "3")
			.containsEntry("x-app-retry-reason", "RETRY_BUDGET_EXHAUSTED");
		assertThat(TestBroker.text(parked).get("x-app-retry-history").toString().split("; ")).hasSize(4);
		Awaitility.await().until(() -> this.broker.ready(QUEUE) == 0);
	}

	@ParameterizedTest
	@ValueSource(strings = { "simple", "direct" })
	void aMessageThatWouldBeParkedCanKeepItsPlace(String type) {
		start(type, "queue", "100ms", ORDER + "when-parked=block");
		send(0, "a", 9);
		send(1, "a", 0);
		send(2, "a", 0);
		Awaitility.await().until(() -> !listeners(0).isRunning());
		Awaitility.await().until(() -> this.broker.ready(QUEUE) == 3);
		assertThat(Handler.calls).containsExactly("0", "0 again", "0 again", "0 again");
		assertThat(this.broker.ready(QUEUE + ".parking-lot")).isZero();
		assertThat(problems()).singleElement()
			.satisfies((problem) -> assertThat(problem.code()).isEqualTo("ordering-blocked"));
		Handler.repaired = true;
		listeners(0).start();
		awaitHandled(3);
		assertThat(Handler.handled).containsExactly(0, 1, 2);
		assertThat(problems()).isEmpty();
		listeners(0).stop();
		assertThat(problems()).as("stopped by hand").isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "simple", "direct" })
	void aStopBesideTheEndOfConsumingWaitsForIt(String type) {
		start(type, "queue", "100ms", ORDER + "when-parked=block");
		send(0, "a", 9);
		send(1, "a", 0);
		Awaitility.await().pollInterval(Duration.ofMillis(5)).until(() -> !problems().isEmpty());
		Handler.repaired = true;
		listeners(0).stop();
		assertThat(problems()).isNotEmpty();
		listeners(0).start();
		awaitHandled(2);
		assertThat(Handler.handled).containsExactly(0, 1);
		assertThat(problems()).isEmpty();
	}

	/** Its acknowledgement counts, as with any other container. */
	@ParameterizedTest
	@ValueSource(strings = { "simple", "direct" })
	void aHandlerCanStopItsOwnContainer(String type) {
		start(type, "queue", "100ms");
		Handler.stops = () -> listeners(0).getListenerContainers().forEach((container) -> container.stop(() -> {
		}));
		send(0, "a", 0);
		send(1, "a", 0);
		Awaitility.await().until(() -> !listeners(0).isRunning());
		Awaitility.await().until(() -> this.broker.ready(QUEUE) == 1);
		assertThat(Handler.calls).containsExactly("0");
		Handler.stops = null;
		listeners(0).start();
		awaitHandled(2);
		assertThat(Handler.calls).containsExactly("0", "1");
	}

	private List<HealthProblem> problems() {
		return this.applications.get(0).getBean(RetryContainerConfigurer.class).problems();
	}

	@ParameterizedTest
	@ValueSource(strings = { "simple", "direct" })
	void aContainerThatIsStoppedAndStartedGoesOnInOrder(String type) {
		start(type, "queue", "1s", stopped(type));
		for (int i = 0; i < 20; i++) {
			send(i, "a", (i % 5 == 2) ? 1 : 0);
		}
		listeners(0).start();
		Awaitility.await().until(() -> Handler.calls.contains("2"));
		try (CapturedLog log = new CapturedLog("org.springframework.amqp.rabbit.listener", Level.WARN)) {
			listeners(0).stop();
			assertThat(log.lines()).isEmpty();
		}
		assertThat(Handler.handled).containsExactly(0, 1);
		Awaitility.await().until(() -> this.broker.ready(QUEUE) == 18);
		// the registry leaves alone what does not start by itself, from Spring AMQP 4.1.2
		listeners(0).getListenerContainers().forEach(MessageListenerContainer::start);
		awaitHandled(20);
		assertThat(Handler.handled).isEqualTo(numbers(0, 20));
	}

	@ParameterizedTest
	@ValueSource(strings = { "simple", "direct" })
	void anotherInstanceGoesOnInOrderWhereOneIsStopped(String type) throws Exception {
		for (int instance = 0; instance < 2; instance++) {
			start(type, "key", "50ms", ORDER + "ordering-key=header:customer",
					"spring.rabbitmq.listener." + type + ".prefetch=20");
		}
		Handler.works = Duration.ofMillis(5);
		sendAtOnce(500);
		for (int stop = 0; stop < 4; stop++) {
			int handled = 100 * (stop + 1);
			Awaitility.await()
				.pollInterval(Duration.ofMillis(5))
				.atMost(Duration.ofSeconds(30))
				.until(() -> Handler.handled.size() > handled);
			listeners(stop % 2).stop();
			listeners(stop % 2).start();
		}
		Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> Handler.handled.size() >= 500);
		HandledOrder order = new HandledOrder();
		Handler.lines.forEach((line) -> order.handled(line.key(), line.number()));
		assertThat(order.skipped()).as("overtaken").isEmpty();
		assertThat(order.messages()).isEqualTo(500);
		assertThat(order.repeated()).as("handled again after an orderly stop").isZero();
	}

	/** More than are prefetched. */
	private void sendAtOnce(int messages) throws Exception {
		for (int i = 0; i < messages; i++) {
			this.broker.channel()
				.basicPublish("", QUEUE, true,
						TestBroker.json(String.valueOf(i / 5))
							.headers(Map.of("customer", "c-" + i % 5, "failures", (i % 10 == 3) ? 1 : 0))
							.build(),
						new byte[0]);
		}
		this.broker.channel().waitForConfirmsOrDie(30_000);
	}

	@ParameterizedTest
	@ValueSource(strings = { "simple", "direct" })
	void aLostConnectionKeepsTheOrder(String type) {
		start(type, "key", "100ms", ORDER + "ordering-key=header:customer",
				"spring.rabbitmq.listener.direct.prefetch=50", "spring.rabbitmq.listener.simple.prefetch=50");
		Handler.works = Duration.ofMillis(5);
		int[] numbers = new int[5];
		for (int i = 0; i < 300; i++) {
			send(numbers[i % 5]++, "c-" + i % 5, (i % 10 == 3) ? 2 : 0);
			if (i % 100 == 50) {
				this.applications.get(0).getBean(CachingConnectionFactory.class).resetConnection();
			}
		}
		HandledOrder order = new HandledOrder();
		Awaitility.await()
			.atMost(Duration.ofSeconds(60))
			.until(() -> this.broker.ready(QUEUE) == 0 && Handler.lines.stream().distinct().count() == 300);
		Handler.lines.forEach((line) -> order.handled(line.key(), line.number()));
		assertThat(order.skipped()).isEmpty();
		assertThat(order.messages()).isEqualTo(300);
	}

	@Test
	void oneConsumerOfAllInstancesGetsMessages() throws IOException {
		start("simple", "queue", "20ms");
		start("simple", "queue", "20ms");
		assertThat(this.broker.channel().consumerCount(QUEUE)).isBetween(1L, 2L);
		for (int i = 0; i < 50; i++) {
			send(i, "a", (i % 10 == 3) ? 1 : 0);
		}
		awaitHandled(50);
		assertThat(Handler.handled).isEqualTo(numbers(0, 50));
		assertThat(Handler.atOnce).hasValue(1);
	}

	private static List<Integer> numbers(int from, int to) {
		return IntStream.range(from, to).boxed().toList();
	}

	private RabbitListenerEndpointRegistry listeners(int application) {
		return this.applications.get(application).getBean(RabbitListenerEndpointRegistry.class);
	}

	private void start(String type, String ordering, String interval, String... more) {
		List<String> properties = new ArrayList<>(List.of("spring.rabbitmq.listener.type=" + type,
				"spring.rabbitmq.listener.simple.concurrency=4",
				"spring.rabbitmq.listener.direct.consumers-per-queue=4", ORDER + "queue=" + QUEUE,
				ORDER + "ordering=" + ordering, ORDER + "retry-backoff=fixed", ORDER + "initial-delay=" + interval,
				ORDER + "broker-attempts=3", ORDER + "local-attempts=1", ORDER + "delivery-limit=1000"));
		properties.addAll(List.of(more));
		this.applications.add(TestApplication.start(Application.class, properties.toArray(String[]::new)));
	}

	/** Until all messages are sent, which takes a busy broker long. */
	private static String stopped(String type) {
		return "spring.rabbitmq.listener." + type + ".auto-startup=false";
	}

	private void send(int number, String customer, int failures) {
		this.broker.sendJson(QUEUE, String.valueOf(number), Map.of("customer", customer, "failures", failures), "{}");
	}

	private static void awaitHandled(int messages) {
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.untilAsserted(() -> assertThat(Handler.handled).hasSize(messages));
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Application {

		@Bean
		Handler handler() {
			return new Handler();
		}

	}

	static class Handler {

		static final List<String> calls = new CopyOnWriteArrayList<>();

		static final List<Integer> handled = new CopyOnWriteArrayList<>();

		static final List<Line> lines = new CopyOnWriteArrayList<>();

		static final AtomicInteger running = new AtomicInteger();

		static final AtomicInteger atOnce = new AtomicInteger();

		static volatile Duration works = Duration.ZERO;

		static volatile boolean repaired;

		static volatile @Nullable Runnable stops;

		@RabbitListener(queues = QUEUE)
		void handle(Message message) {
			atOnce.accumulateAndGet(running.incrementAndGet(), Math::max);
			try {
				int number = Integer.parseInt(message.getMessageProperties().getMessageId());
				Map<String, Object> headers = message.getMessageProperties().getHeaders();
				int attempt = (headers.get("x-app-retry-attempt") instanceof Integer made) ? made : 0;
				calls.add((attempt > 0) ? number + " again" : String.valueOf(number));
				LockSupport.parkNanos(works.toNanos());
				Runnable stop = stops;
				if (stop != null) {
					stop.run();
				}
				if (attempt < (int) headers.get("failures") && !repaired) {
					throw new IllegalStateException("fails");
				}
				lines.add(new Line((String) headers.get("customer"), number));
				handled.add(number);
			}
			finally {
				running.decrementAndGet();
			}
		}

	}

	record Line(String key, int number) {
	}

}
