/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import com.rabbitmq.client.GetResponse;
import io.github.rabbitretry.handler.RetryContext;
import io.github.rabbitretry.internal.actuate.RabbitRetryHealthIndicator;
import io.micrometer.core.instrument.MeterRegistry;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.listener.api.RabbitListenerErrorHandler;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Handlers that take longer than {@code handler-timeout}.
 */
class HandlerTimeoutIntegrationTests {

	private static final String QUEUE = "timeout.order";

	private final TestBroker broker = TestBroker.connect();

	@BeforeEach
	void forget() {
		this.broker.deleteAll(QUEUE);
		Application.begin((context, message) -> null);
	}

	@AfterEach
	void remove() {
		this.broker.deleteAll(QUEUE);
		this.broker.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "simple", "direct" })
	void aHandlerThatHangsIsInterruptedRetriedAndParked(String type) throws Exception {
		Application.begin((context, message) -> {
			new CountDownLatch(1).await();
			return null;
		});
		try (ConfigurableApplicationContext application = start("300ms", "local-attempts=2",
				"spring.rabbitmq.listener.type=" + type)) {
			this.broker.sendJson(QUEUE, "m-1", Map.of(), "{}");
			GetResponse parked = this.broker.take(QUEUE + ".parking-lot");
			Map<String, Object> headers = parked.getProps().getHeaders();
			assertThat(headers.get("x-app-retry-reason")).hasToString("RETRY_BUDGET_EXHAUSTED");
			assertThat(headers.get("x-app-failure-reason")).hasToString("HANDLER_TIMEOUT");
			assertThat(headers.get("x-app-retry-class")).hasToString("transient");
			assertThat(headers.get("x-app-exception").toString())
				.contains("HandlerTimeoutException <- java.lang.InterruptedException");
			assertThat(headers.get("x-app-retry-history").toString()).contains(" #1 HANDLER_TIMEOUT 100ms ",
					" #2 HANDLER_TIMEOUT parked ");
			assertThat(Application.calls).hasSize(4);
			assertThat(this.broker.channel().consumerCount(QUEUE)).isOne();
		}
	}

	@Test
	void aHandlerThatExtendsItsTimeMayTakeLonger() throws Exception {
		Application.begin((context, message) -> {
			for (int step = 0; step < 3; step++) {
				context.extendTimeout(Duration.ofSeconds(10));
				new CountDownLatch(1).await(500, TimeUnit.MILLISECONDS);
			}
			return null;
		});
		try (ConfigurableApplicationContext application = start("1s")) {
			this.broker.sendJson(QUEUE, "m-1", Map.of(), "{}");
			awaitAcknowledged(application, 1);
			assertThat(Application.calls).hasSize(1);
		}
	}

	@Test
	void aResultThatIsNotThereInTimeIsCancelled() throws Exception {
		List<CompletableFuture<String>> results = new ArrayList<>();
		Application.begin((context, message) -> {
			CompletableFuture<String> result = new CompletableFuture<>();
			if (results.isEmpty()) {
				// the interrupt may come before the wait begins
				LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(500));
			}
			results.add(result);
			return result;
		});
		try (ConfigurableApplicationContext application = start("300ms")) {
			this.broker.sendJson(QUEUE, "m-1", Map.of(), "{}");
			assertThat(this.broker.take(QUEUE + ".parking-lot").getProps().getHeaders().get("x-app-failure-reason"))
				.hasToString("HANDLER_TIMEOUT");
			assertThat(results).hasSize(2).allMatch(Future::isCancelled);
		}
	}

	@Test
	void aMonoThatIsNotThereInTimeIsCancelled() {
		AtomicInteger subscribed = new AtomicInteger();
		AtomicInteger cancelled = new AtomicInteger();
		Application.begin((context, message) -> Mono.never()
			.doOnSubscribe((subscription) -> subscribed.incrementAndGet())
			.doOnCancel(cancelled::incrementAndGet));
		try (ConfigurableApplicationContext application = start("300ms")) {
			this.broker.sendJson(QUEUE, "m-1", Map.of(), "{}");
			assertThat(this.broker.take(QUEUE + ".parking-lot").getProps().getHeaders().get("x-app-failure-reason"))
				.hasToString("HANDLER_TIMEOUT");
			assertThat(subscribed).hasValue(2);
			assertThat(cancelled).hasValue(2);
		}
	}

	@Test
	void aMessageIsHeldUntilAHandlerThatIgnoresTheInterruptHasReturned() throws Exception {
		CountDownLatch enough = new CountDownLatch(1);
		Application.begin((context, message) -> {
			if (Application.calls.size() == 1) {
				ignoreInterruptsUntil(enough);
			}
			return null;
		});
		try (ConfigurableApplicationContext application = start("200ms", "concurrency=2")) {
			this.broker.sendJson(QUEUE, "m-1", Map.of(), "{}");
			RabbitRetryHealthIndicator health = application.getBean(RabbitRetryHealthIndicator.class);
			Awaitility.await().until(() -> health.health().getStatus().equals(Status.DOWN));
			assertThat(health.health().getDetails().toString()).contains("handler-overdue", "Order");
			assertThat(overdue(application)).isOne();
			this.broker.sendJson(QUEUE, "m-2", Map.of(), "{}");
			awaitAcknowledged(application, 1);
			assertThat(Application.calls).containsExactly("m-1", "m-2");
			assertThat(this.broker.channel().messageCount(QUEUE + ".retry.100ms")).isZero();
			enough.countDown();
			awaitAcknowledged(application, 2);
			assertThat(Application.calls).containsExactly("m-1", "m-2", "m-1");
			assertThat(health.health().getStatus()).isEqualTo(Status.UP);
			assertThat(overdue(application)).isZero();
		}
	}

	@Test
	void anErrorHandlerThatAnswersATimeoutEndsIt() throws Exception {
		Application.begin((context, message) -> {
			new CountDownLatch(1).await();
			return null;
		});
		Application.answersFailures = true;
		try (ConfigurableApplicationContext application = start("200ms")) {
			this.broker.sendJson(QUEUE, "m-1", Map.of(), "{}");
			awaitAcknowledged(application, 1);
			assertThat(Application.calls).containsExactly("m-1");
		}
	}

	@Test
	void aMessageThatTheBrokerTookBackWaitsForTheEarlierCall() throws Exception {
		CountDownLatch enough = new CountDownLatch(1);
		Application.begin((context, message) -> {
			ignoreInterruptsUntil(enough);
			return null;
		});
		try (ConfigurableApplicationContext application = start("200ms", "concurrency=2")) {
			this.broker.sendJson(QUEUE, "m-1", Map.of(), "{}");
			Awaitility.await().until(() -> overdue(application) == 1);
			application.getBean(CachingConnectionFactory.class).resetConnection();
			Awaitility.await()
				.atMost(Duration.ofSeconds(30))
				.until(() -> application.getBean(MeterRegistry.class)
					.get("rabbit.retry.deliveries")
					.tag("outcome", "received")
					.counter()
					.count() >= 2);
			// once more if the lost connection counts as several deaths, for the
			// quarantine
			Awaitility.await().during(Duration.ofMillis(500)).until(() -> Application.calls.size() == 1);
			enough.countDown();
			awaitAcknowledged(application, 1);
			assertThat(Application.calls).containsExactly("m-1", "m-1");
		}
	}

	@Test
	void noInterruptReachesTheNextMessageAndNoneIsHandledBesideItself() throws Exception {
		int messages = 400;
		Set<String> running = ConcurrentHashMap.newKeySet();
		Set<String> handled = ConcurrentHashMap.newKeySet();
		ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();
		Map<String, Integer> calls = new ConcurrentHashMap<>();
		Application.begin((context, message) -> {
			String id = message.getMessageProperties().getMessageId();
			if (Thread.currentThread().isInterrupted()) {
				// its time is over on a busy machine, or else it is acknowledged
				// unhandled
				return null;
			}
			if (!running.add(id)) {
				wrong.add(id + " is handled twice at once");
			}
			try {
				// on a busy machine hardly any call would end in time, however often it
				// is made
				boolean enough = calls.merge(id, 1, Integer::sum) > 5;
				long until = System.nanoTime() + (enough ? 0
						: TimeUnit.MICROSECONDS.toNanos(ThreadLocalRandom.current().nextInt(15_000, 25_000)));
				while (System.nanoTime() < until) {
					if (ThreadLocalRandom.current().nextInt(100) == 0 && Thread.interrupted()) {
						throw new InterruptedException();
					}
				}
				handled.add(id);
			}
			finally {
				running.remove(id);
			}
			return null;
		});
		try (ConfigurableApplicationContext application = start("20ms", "concurrency=4", "attempts=60")) {
			for (int number = 0; number < messages; number++) {
				this.broker.sendJson(QUEUE, "m-" + number, Map.of(), "{}");
			}
			awaitAcknowledged(application, messages);
			assertThat(wrong).isEmpty();
			assertThat(handled).hasSize(messages);
			assertThat(Application.calls).hasSizeGreaterThan(messages);
			assertThat(this.broker.channel().messageCount(QUEUE + ".parking-lot")).isZero();
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 150, 195, 200, 205, 250 })
	void aStopAtTheTimeoutLosesAndDoublesNothing(int stopAfter) throws Exception {
		CountDownLatch begun = new CountDownLatch(1);
		Application.begin((context, message) -> {
			begun.countDown();
			new CountDownLatch(1).await();
			return null;
		});
		try (ConfigurableApplicationContext application = start("200ms", "delay=20s")) {
			this.broker.sendJson(QUEUE, "m-1", Map.of(), "{}");
			begun.await();
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(stopAfter));
		}
		Awaitility.await()
			.untilAsserted(() -> assertThat(this.broker.channel().messageCount(QUEUE)
					+ this.broker.channel().messageCount(QUEUE + ".retry.20s"))
				.isOne());
		assertThat(Application.calls).hasSizeBetween(1, 2);
	}

	/** Without a core that it takes from the broker. */
	private static void ignoreInterruptsUntil(CountDownLatch enough) {
		while (enough.getCount() > 0) {
			try {
				enough.await();
			}
			catch (InterruptedException ex) {
				// ignored
			}
		}
	}

	private static ConfigurableApplicationContext start(String timeout, String... more) {
		Map<String, String> keys = new LinkedHashMap<>(
				Map.of("local-attempts", "1", "delay", "100ms", "attempts", "1", "concurrency", "1"));
		Arrays.stream(more).map((one) -> one.split("=")).forEach((one) -> keys.put(one[0], one[1]));
		String policy = "rabbit-retry.message-policies.Order.";
		List<String> properties = new ArrayList<>(
				List.of(policy + "queue=" + QUEUE, policy + "handler-timeout=" + timeout,
						policy + "local-attempts=" + keys.remove("local-attempts"), policy + "local-delay=10ms",
						policy + "retry-backoff=fixed", policy + "initial-delay=" + keys.remove("delay"),
						policy + "broker-attempts=" + keys.remove("attempts")));
		String concurrency = keys.remove("concurrency");
		properties.add("spring.rabbitmq.listener.simple.concurrency=" + concurrency);
		properties.add("spring.rabbitmq.listener.simple.prefetch=1");
		keys.forEach((key, value) -> properties.add(key + "=" + value));
		return TestApplication.start(Application.class, properties.toArray(String[]::new));
	}

	private static double overdue(ConfigurableApplicationContext application) {
		return application.getBean(MeterRegistry.class)
			.get("rabbit.retry.handlers.overdue")
			.tag("message_type", "Order")
			.gauge()
			.value();
	}

	private static void awaitAcknowledged(ConfigurableApplicationContext application, int messages) {
		Awaitility.await()
			.atMost(Duration.ofSeconds(60))
			.untilAsserted(() -> assertThat(application.getBean(MeterRegistry.class)
				.get("rabbit.retry.deliveries")
				.tag("outcome", "acked")
				.counter()
				.count()).isEqualTo(messages));
	}

	interface Handler {

		@Nullable Object handle(RetryContext context, Message message) throws Exception;

	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Application {

		static final ConcurrentLinkedQueue<String> calls = new ConcurrentLinkedQueue<>();

		static volatile boolean answersFailures;

		private static volatile Handler handler = (context, message) -> null;

		static void begin(Handler next) {
			calls.clear();
			handler = next;
			answersFailures = false;
		}

		@Bean
		static RabbitListenerErrorHandler answer() {
			return (message, channel, converted, ex) -> {
				if (answersFailures) {
					return null;
				}
				throw ex;
			};
		}

		@RabbitListener(queues = QUEUE, errorHandler = "answer")
		@Nullable Object handle(Message message, RetryContext context) throws Exception {
			calls.add(message.getMessageProperties().getMessageId());
			return handler.handle(context, message);
		}

	}

}
