/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import io.github.rabbitretry.event.DeliveryListener;
import io.github.rabbitretry.event.DeliveryListener.Outage;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.config.DirectRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.core.MessageListenerContainer;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.api.ChannelAwareMessageListener;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.Lifecycle;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An outage of a service that two message types call, one of them through a simple
 * container and one through a direct one.
 */
class OutageIntegrationTests {

	private static final String ORDER = "outage.order";

	private static final String PAYMENT = "outage.payment";

	private static final String REFUND = "outage.refund";

	private static final int MESSAGES = 2000;

	/** Since the last message was sent, which takes some seconds too. */
	private static final Duration OUTAGE = Duration.ofSeconds(6);

	private static final Duration LONGEST_INTERVAL = Duration.ofSeconds(2);

	private static final int RESUME_CALLS = 5;

	private final TestBroker broker = TestBroker.connect();

	private ConfigurableApplicationContext application;

	@BeforeEach
	void clean() {
		this.broker.deleteAll(ORDER);
		this.broker.deleteAll(PAYMENT);
		this.broker.deleteAll(REFUND);
		Service.reset();
	}

	@AfterEach
	void stop() {
		this.application.close();
		this.broker.deleteAll(ORDER);
		this.broker.deleteAll(PAYMENT);
		this.broker.deleteAll(REFUND);
		this.broker.close();
	}

	@Test
	void allMessagesAreHandledAfterAnOutageAndNoneIsParked() {
		start("true");
		send(0, 100);
		Awaitility.await().until(() -> Service.handled.size() == 200);
		Service.down = true;
		send(100, MESSAGES / 2);
		Awaitility.await().untilAsserted(() -> assertThat(Service.began).hasSize(1));
		Awaitility.await().pollDelay(OUTAGE).atMost(OUTAGE.plusSeconds(10)).until(() -> true);
		int calls = Service.failed.get();
		Awaitility.await().until(() -> !container(ORDER).isRunning());
		Service.down = false;
		Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> Service.handled.size() == MESSAGES);
		Awaitility.await().untilAsserted(() -> assertThat(Service.ended).hasSize(1));
		Outage outage = Service.ended.get(0);
		System.out.printf(
				"%d messages, an outage of %s: %d probes of at most %d, %d calls failed, %d attempts used up%n",
				MESSAGES, Duration.between(outage.began(), outage.ended()), outage.probes(), mostProbes(outage), calls,
				Service.retried.get());
		assertThat(outage.messageTypes()).containsExactly("Order", "Payment");
		assertThat(outage.probes()).as("probes").isBetween(RESUME_CALLS, mostProbes(outage));
		assertThat(Service.retried).as("messages that paid an attempt").hasValueLessThan(10);
		// far less than the consumers have prefetched, 750; some more on a busy machine
		assertThat(Service.deaths).as("on their way while a consumer stopped").hasValueLessThan(MESSAGES / 20);
		assertThat(Service.calls).as("each message handled once").hasValue(MESSAGES);
		assertThat(this.broker.ready(ORDER + ".parking-lot") + this.broker.ready(PAYMENT + ".parking-lot")).isZero();
		assertThat(this.broker.ready(ORDER + ".dlq") + this.broker.ready(PAYMENT + ".dlq")).isZero();
		assertThat(meters().get("rabbit.retry.outages").functionCounter().count()).isEqualTo(1);
		assertThat(meters().get("rabbit.retry.outage").gauge().value()).isZero();
	}

	@Test
	void withoutOutageModeAllMessagesAreParked() {
		start("false");
		Service.down = true;
		send(0, MESSAGES / 2);
		Awaitility.await()
			.atMost(Duration.ofMinutes(1))
			.until(() -> this.broker.ready(ORDER + ".parking-lot")
					+ this.broker.ready(PAYMENT + ".parking-lot") == MESSAGES);
		assertThat(Service.handled).isEmpty();
	}

	@Test
	void consumersAreAsManyAsBeforeOnceTheServiceIsUpAgain() {
		start("true");
		Service.down = true;
		send(0, MESSAGES / 2);
		Awaitility.await().until(() -> !Service.began.isEmpty());
		Awaitility.await().untilAsserted(() -> assertThat(consumers(ORDER) + consumers(PAYMENT)).isZero());
		Service.down = false;
		Awaitility.await().until(() -> Service.handled.size() == MESSAGES);
		Awaitility.await().untilAsserted(() -> assertThat(consumers(ORDER)).isEqualTo(3));
		Awaitility.await().untilAsserted(() -> assertThat(consumers(PAYMENT)).isEqualTo(2));
	}

	@Test
	void whatSomebodyStartsInAnOutageIsPausedAgain() {
		start("true");
		Service.down = true;
		send(0, MESSAGES / 2);
		Awaitility.await().until(() -> !Service.began.isEmpty() && !container(ORDER).isRunning());
		int failed = Service.failed.get();
		container(ORDER).start();
		Awaitility.await().until(() -> !container(ORDER).isRunning());
		assertThat(Service.failed.get() - failed).as("calls").isLessThanOrEqualTo(2 * RESUME_CALLS);
		Service.down = false;
		Awaitility.await().until(() -> Service.handled.size() == MESSAGES);
		assertThat(this.broker.ready(ORDER + ".parking-lot")).isZero();
	}

	@Test
	void listenersThatTheApplicationStopsInAnOutageStayStopped() {
		start("true");
		Service.down = true;
		send(0, MESSAGES / 2);
		Awaitility.await().until(() -> !Service.began.isEmpty() && !container(ORDER).isRunning());
		RabbitListenerEndpointRegistry registry = this.application.getBean(RabbitListenerEndpointRegistry.class);
		registry.stop();
		Service.down = false;
		Awaitility.await()
			.during(Duration.ofSeconds(3))
			.until(() -> !container(ORDER).isRunning() && !container(PAYMENT).isRunning());
		registry.start();
		Awaitility.await().until(() -> Service.handled.size() == MESSAGES);
	}

	@Test
	void listenersThatStopWithTheApplicationInAnOutageStayStopped() {
		this.application = start(WithContainerBean.class, "true");
		Service.down = true;
		send(0, 20);
		sendRefunds(20);
		Awaitility.await().until(() -> !Service.began.isEmpty() && running() == 0);
		this.application.stop();
		Service.down = false;
		Awaitility.await().during(Duration.ofSeconds(3)).until(() -> running() == 0);
		assertThat(Service.handled).isEmpty();
		this.application.start();
		Awaitility.await().until(() -> Service.handled.size() == 60);
	}

	@Test
	void containerBeansGoOnAfterAnOutageInWhichTheListenersWereStoppedAndStarted() {
		this.application = start(WithContainerBean.class, "true");
		Service.down = true;
		send(0, 20);
		sendRefunds(20);
		Awaitility.await().until(() -> !Service.began.isEmpty() && running() == 0);
		RabbitListenerEndpointRegistry registry = this.application.getBean(RabbitListenerEndpointRegistry.class);
		registry.stop();
		registry.start();
		Service.down = false;
		Awaitility.await().until(() -> Service.handled.size() == 60);
	}

	@Test
	void anApplicationThatEndsInAPauseWaitsForHandlersAsWithoutOne() {
		start("true");
		Service.slow = Duration.ofSeconds(2);
		this.broker.sendJson(ORDER, "slow", Map.of(), "{}");
		Awaitility.await().until(() -> Service.slowBegan);
		Service.down = true;
		send(0, 20);
		Awaitility.await().until(() -> !Service.began.isEmpty());
		this.application.close();
		assertThat(Service.handled).containsExactly("slow");
		assertThat(this.broker.drain(ORDER)).extracting((message) -> message.getProps().getMessageId())
			.doesNotContain("slow");
	}

	@Test
	void listenersThatAreStoppedInAPauseCanBeStartedAgain() {
		start("true");
		Service.slow = Duration.ofSeconds(8);
		this.broker.sendJson(ORDER, "slow", Map.of(), "{}");
		Awaitility.await().until(() -> Service.slowBegan);
		Service.down = true;
		send(0, 20);
		Awaitility.await().until(() -> !Service.began.isEmpty());
		RabbitListenerEndpointRegistry registry = this.application.getBean(RabbitListenerEndpointRegistry.class);
		registry.stop();
		registry.start();
		Service.down = false;
		Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> Service.handled.size() == 41);
	}

	private void sendRefunds(int count) {
		for (int i = 0; i < count; i++) {
			this.broker.sendJson(REFUND, "r-" + i, Map.of(), "{}");
		}
	}

	private long running() {
		return Stream
			.of(container(ORDER), container(PAYMENT), this.application.getBean(SimpleMessageListenerContainer.class))
			.filter(Lifecycle::isRunning)
			.count();
	}

	/** After 0.5, 1.5, 3.5 seconds and so on, and one that was made as it ended. */
	private static int mostProbes(Outage outage) {
		Duration time = Duration.between(outage.began(), outage.ended());
		return RESUME_CALLS * (4 + (int) time.dividedBy(LONGEST_INTERVAL));
	}

	private void start(String enabled, String... more) {
		this.application = start(Application.class, enabled, more);
	}

	private ConfigurableApplicationContext start(Class<?> configuration, String enabled, String... more) {
		List<String> properties = new ArrayList<>(List.of("rabbit-retry.defaults.retry-backoff=fixed",
				"rabbit-retry.defaults.initial-delay=250ms", "rabbit-retry.defaults.broker-attempts=3",
				"rabbit-retry.defaults.local-attempts=1", "rabbit-retry.defaults.outage.enabled=" + enabled,
				"rabbit-retry.defaults.outage.dependency=gateway", "rabbit-retry.defaults.outage.probe-interval=500ms",
				"rabbit-retry.defaults.outage.max-probe-interval=" + LONGEST_INTERVAL,
				"rabbit-retry.defaults.outage.resume-calls=" + RESUME_CALLS));
		properties.add("rabbit-retry.message-policies.Order.queue=" + ORDER);
		properties.add("rabbit-retry.message-policies.Payment.queue=" + PAYMENT);
		if (configuration == WithContainerBean.class) {
			properties.add("rabbit-retry.message-policies.Refund.queue=" + REFUND);
		}
		properties.addAll(List.of(more));
		return TestApplication.start(configuration, properties.toArray(String[]::new));
	}

	private void send(int from, int to) {
		for (int i = from; i < to; i++) {
			this.broker.sendJson(ORDER, "o-" + i, Map.of(), "{}");
			this.broker.sendJson(PAYMENT, "p-" + i, Map.of(), "{}");
		}
	}

	private MessageListenerContainer container(String id) {
		MessageListenerContainer container = this.application.getBean(RabbitListenerEndpointRegistry.class)
			.getListenerContainer(id);
		assertThat(container).isNotNull();
		return container;
	}

	@ParameterizedTest(name = "exclude-from-age {0}: {1} parked")
	@CsvSource({ "true, 0", "false, 1" })
	void aMessageThatFailedBeforeAnOutageGetsOlderInItOrNot(String exclude, long parked) {
		start("true", "rabbit-retry.defaults.outage.exclude-from-age=" + exclude,
				"rabbit-retry.defaults.max-retry-age=3s", "rabbit-retry.defaults.outage.calls=2");
		Service.down = true;
		this.broker.sendJson(ORDER, "first", Map.of(), "{}");
		Awaitility.await().until(() -> Service.failed.get() == 1);
		this.broker.sendJson(PAYMENT, "second", Map.of(), "{}");
		Awaitility.await().until(() -> !Service.began.isEmpty());
		Awaitility.await().pollDelay(Duration.ofSeconds(4)).until(() -> true);
		Service.down = false;
		Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> Service.handled.contains("second"));
		for (int i = 0; i < RESUME_CALLS; i++) {
			this.broker.sendJson(PAYMENT, "p-" + i, Map.of(), "{}");
		}
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.until(() -> Service.handled.contains("first") || this.broker.ready(ORDER + ".parking-lot") == 1);
		assertThat(this.broker.ready(ORDER + ".parking-lot")).isEqualTo(parked);
	}

	private long consumers(String queue) {
		try {
			return this.broker.channel().consumerCount(queue);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private MeterRegistry meters() {
		return this.application.getBean(MeterRegistry.class);
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Application {

		@Bean
		MeterRegistry meters() {
			return new SimpleMeterRegistry();
		}

		@Bean
		Service service() {
			return new Service();
		}

		@Bean
		DirectRabbitListenerContainerFactory direct(ConnectionFactory connectionFactory) {
			DirectRabbitListenerContainerFactory factory = new DirectRabbitListenerContainerFactory();
			factory.setConnectionFactory(connectionFactory);
			factory.setConsumersPerQueue(2);
			return factory;
		}

	}

	@SpringBootConfiguration
	static class WithContainerBean extends Application {

		@Bean
		SimpleMessageListenerContainer refunds(ConnectionFactory connectionFactory) {
			SimpleMessageListenerContainer container = new SimpleMessageListenerContainer(connectionFactory);
			container.setQueueNames(REFUND);
			container.setMessageListener((ChannelAwareMessageListener) (message, channel) -> Service.handle(message));
			return container;
		}

	}

	static class Service implements DeliveryListener {

		static volatile Duration slow = Duration.ZERO;

		static volatile boolean slowBegan;

		static final Set<String> handled = ConcurrentHashMap.newKeySet();

		static final AtomicInteger failed = new AtomicInteger();

		static final AtomicInteger calls = new AtomicInteger();

		static final AtomicInteger retried = new AtomicInteger();

		static final AtomicInteger deaths = new AtomicInteger();

		static final List<Outage> began = new CopyOnWriteArrayList<>();

		static final List<Outage> ended = new CopyOnWriteArrayList<>();

		static volatile boolean down;

		static void reset() {
			handled.clear();
			failed.set(0);
			calls.set(0);
			retried.set(0);
			deaths.set(0);
			began.clear();
			ended.clear();
			down = false;
			slow = Duration.ZERO;
			slowBegan = false;
		}

		@RabbitListener(id = ORDER, queues = ORDER, concurrency = "3")
		void order(Message message) throws Exception {
			handle(message);
		}

		@RabbitListener(id = PAYMENT, queues = PAYMENT, containerFactory = "direct")
		void payment(Message message) throws Exception {
			handle(message);
		}

		private static void handle(Message message) throws Exception {
			if ("slow".equals(message.getMessageProperties().getMessageId())) {
				slowBegan = true;
				Awaitility.await().pollDelay(slow).atMost(slow.plusSeconds(10)).until(() -> true);
				handled.add("slow");
				return;
			}
			if (message.getMessageProperties().getHeader("x-delivery-count") instanceof Number count
					&& count.intValue() > 0) {
				deaths.incrementAndGet();
			}
			if (down) {
				failed.incrementAndGet();
				throw new SocketTimeoutException("no answer");
			}
			calls.incrementAndGet();
			if (handled.add(message.getMessageProperties().getMessageId())
					&& message.getMessageProperties().getHeader("x-app-retry-attempt") != null) {
				retried.incrementAndGet();
			}
		}

		@Override
		public void outageBegan(Outage outage) {
			began.add(outage);
		}

		@Override
		public void outageEnded(Outage outage) {
			ended.add(outage);
		}

	}

}
