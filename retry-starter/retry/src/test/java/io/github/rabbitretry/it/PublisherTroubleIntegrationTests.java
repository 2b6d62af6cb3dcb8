/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.GetResponse;
import io.github.rabbitretry.broker.Broker;
import io.github.rabbitretry.internal.handover.ConfirmedPublishers;
import io.github.rabbitretry.internal.health.HealthProblem;
import io.github.rabbitretry.internal.health.HealthSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * What the broker refuses, and what is reported of it.
 */
class PublisherTroubleIntegrationTests {

	private static final String QUEUE = "trouble.order";

	private static final String RING = QUEUE + ".retry";

	private static final String USER = "worker";

	private static Broker broker;

	private static Connection connection;

	private Channel channel;

	private ConfigurableApplicationContext application;

	@BeforeAll
	static void startBroker() throws Exception {
		broker = Broker.start();
		assumeTrue(broker.canControl(), "a broker that is only named can't be configured");
		com.rabbitmq.client.ConnectionFactory factory = new com.rabbitmq.client.ConnectionFactory();
		factory.setUri(broker.amqpUri());
		connection = factory.newConnection("test");
		broker.ctl("add_user", USER, "secret");
	}

	@AfterAll
	static void stopBroker() {
		broker.close();
	}

	@AfterEach
	void stop() throws Exception {
		this.application.close();
		for (String suffix : List.of("", ".dlq", ".parking-lot", ".retry.200ms")) {
			this.channel.queueDelete(QUEUE + suffix);
		}
		this.channel.close();
	}

	@Test
	void aWithdrawnWritePermissionIsReportedAndCostsFewChannels() throws Exception {
		start();
		broker.ctl("set_permissions", "-p", broker.virtualHost(), USER, ".*", "", ".*");
		send(IntStream.range(0, 50).mapToObj((number) -> "fail " + number).toList());
		HealthProblem problem = await("publisher-refused");
		assertThat(problem.detail()).contains("403").contains("write access to exchange").contains(QUEUE);
		int channels = opened();
		Awaitility.await().pollDelay(Duration.ofSeconds(4)).until(() -> true);
		assertThat(opened() - channels).as("channels opened in 4 seconds").isLessThan(8);
		assertThat(publishers().waiting("Order", "publisher-refused")).isPositive();
		broker.ctl("set_permissions", "-p", broker.virtualHost(), USER, ".*", ".*", ".*");
		Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> ready(QUEUE + ".parking-lot") == 50);
		Awaitility.await().untilAsserted(() -> assertThat(problems()).isEmpty());
	}

	@Test
	void afterAReconnectCopiesThatWereNotAllowedAreParkedWithinSecondsOfThePermission() throws Exception {
		start("--spring.rabbitmq.listener.simple.prefetch=250");
		broker.ctl("set_permissions", "-p", broker.virtualHost(), USER, ".*", "", ".*");
		repairAfterAReconnect("publisher-refused",
				() -> broker.ctl("set_permissions", "-p", broker.virtualHost(), USER, ".*", ".*", ".*"));
	}

	@Test
	void afterAReconnectCopiesThatFoundNoExchangeAreParkedWithinSecondsOfItsReturn() throws Exception {
		start("--spring.rabbitmq.listener.simple.prefetch=250");
		this.channel.exchangeDelete(RING);
		// its declaration is not allowed, so that it stays away over the reconnect
		broker.ctl("set_permissions", "-p", broker.virtualHost(), USER, "", ".*", ".*");
		repairAfterAReconnect("publisher-no-exchange", () -> {
			broker.ctl("set_permissions", "-p", broker.virtualHost(), USER, ".*", ".*", ".*");
			this.channel.exchangeDeclare(RING, "direct", true);
			this.channel.queueBind(QUEUE + ".retry.200ms", RING, QUEUE + ".retry.200ms");
			this.channel.queueBind(QUEUE, RING, QUEUE);
		});
	}

	private void repairAfterAReconnect(String code, Sending repair) throws Exception {
		send(IntStream.range(0, 100).mapToObj((number) -> "fail " + number).toList());
		await(code);
		Awaitility.await().until(() -> publishers().pending("Order") == 100);
		closeConsumingConnections();
		Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> Application.FAILURES.get() == 200);
		repair.run();
		send(List.of("ok after"));
		Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> ready(QUEUE + ".parking-lot") == 100);
		assertThat(Application.HANDLED).contains("ok after");
		Awaitility.await().atMost(Duration.ofSeconds(5)).untilAsserted(() -> assertThat(problems()).isEmpty());
	}

	private static void closeConsumingConnections() {
		for (String line : broker.ctl("-q", "list_connections", "pid", "user", "client_properties").lines().toList()) {
			if (line.contains(USER) && !line.contains(".publisher")) {
				broker.ctl("close_connection", line.strip().split("\\s+")[0], "test");
			}
		}
	}

	@Test
	void aBodyThatTheBrokerRefusesIsHeldAloneAndDoublesNoOther() throws Exception {
		start("--spring.rabbitmq.listener.simple.prefetch=250");
		List<String> bodies = IntStream.range(0, 200)
			.mapToObj((number) -> "fail " + number + ((number % 50 == 7) ? "x".repeat(2000) : ""))
			.toList();
		limit(1000, () -> send(bodies));
		try {
			HealthProblem problem = await("message-refused");
			assertThat(problem.detail()).contains("is larger than configured max size 1000");
			List<String> all = new ArrayList<>();
			awaitParked(all, 196);
			Awaitility.await().until(() -> publishers().pending("Order") == 4);
			int channels = opened();
			send(List.of("fail later", "ok later"));
			awaitParked(all, 197);
			assertThat(opened() - channels).as("channels opened").isLessThan(2);
			assertThat(Application.HANDLED).contains("ok later");
			assertThat(all).as("only what was on its way with the first refused one is there twice")
				.hasSizeLessThan(197 + 20);
			assertThat(publishers().waiting("Order", "message-refused")).isEqualTo(4);
		}
		finally {
			limit(16_777_216, () -> {
			});
		}
	}

	@Test
	void aConnectionBlockedBeforeTheFirstFailureCountsAsBlocked() throws Exception {
		start();
		send(List.of("fail held"));
		Awaitility.await().until(() -> ready(QUEUE) == 0);
		broker.memoryAlarm(true);
		try {
			RabbitTemplate template = new RabbitTemplate(
					this.application.getBean(org.springframework.amqp.rabbit.connection.ConnectionFactory.class));
			template.setUsePublisherConnection(true);
			template.convertAndSend("amq.fanout", "", "blocks the connection");
			// rabbitmqctl alone takes seconds on a busy machine
			Awaitility.await()
				.atMost(Duration.ofSeconds(60))
				.until(() -> broker.ctl("-q", "list_connections", "state").contains("blocked"));
			Application.GATE.release(10);
			assertThat(await("publisher-blocked").detail()).contains("low on memory");
		}
		finally {
			broker.memoryAlarm(false);
		}
		Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> ready(QUEUE + ".parking-lot") == 1);
		Awaitility.await().untilAsserted(() -> assertThat(problems()).isEmpty());
	}

	@Test
	void aContainerThatSpringStopsForItsLoginIsReportedAndConsumesAgainOnceItIsAccepted() throws Exception {
		start();
		broker.ctl("change_password", USER, "another");
		try {
			for (String line : broker.ctl("-q", "list_connections", "pid", "user").lines().toList()) {
				if (line.strip().endsWith(USER)) {
					broker.ctl("close_connection", line.strip().split("\\s+")[0], "test");
				}
			}
			HealthProblem problem = await("listener-stopped");
			assertThat(problem.subject()).isEqualTo(QUEUE);
			assertThat(problem.detail()).contains("ACCESS_REFUSED");
		}
		finally {
			broker.ctl("change_password", USER, "secret");
		}
		send(List.of("ok again"));
		Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> Application.HANDLED.contains("ok again"));
		Awaitility.await().untilAsserted(() -> assertThat(problems()).isEmpty());
	}

	@ParameterizedTest
	@ValueSource(strings = { "simple", "direct" })
	void aQueueThatMayNotBeReadForAWhileIsReportedAndConsumedAgain(String type) throws Exception {
		start("--spring.rabbitmq.listener.type=" + type);
		broker.ctl("set_permissions", "-p", broker.virtualHost(), USER, "", ".*", "");
		closeConsumingConnections();
		assertThat(await("listener-refused").detail()).contains("403");
		broker.ctl("set_permissions", "-p", broker.virtualHost(), USER, ".*", ".*", ".*");
		send(List.of("ok again"));
		Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> Application.HANDLED.contains("ok again"));
		Awaitility.await().untilAsserted(() -> assertThat(problems()).isEmpty());
	}

	@Test
	void aContainerThatSpringStopsWithoutItsQueueConsumesAgainOnceTheQueueMayBeDeclared() throws Exception {
		start();
		broker.ctl("set_permissions", "-p", broker.virtualHost(), USER, "", ".*", ".*");
		this.channel.queueDelete(QUEUE);
		Awaitility.await()
			.atMost(Duration.ofSeconds(60))
			.until(() -> problems().stream().anyMatch((problem) -> problem.code().equals("listener-stopped")));
		broker.ctl("set_permissions", "-p", broker.virtualHost(), USER, ".*", ".*", ".*");
		Awaitility.await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> assertThat(problems()).isEmpty());
		send(List.of("ok again"));
		Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> Application.HANDLED.contains("ok again"));
	}

	private void start(String... more) throws Exception {
		this.channel = connection.createChannel();
		this.channel.confirmSelect();
		broker.ctl("set_permissions", "-p", broker.virtualHost(), USER, ".*", ".*", ".*");
		Application.HANDLED.clear();
		Application.FAILURES.set(0);
		Application.GATE.drainPermits();
		this.application = new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.run(Stream.concat(Stream.of("--spring.rabbitmq.host=" + broker.host(),
					"--spring.rabbitmq.port=" + broker.port(), "--spring.rabbitmq.username=" + USER,
					"--spring.rabbitmq.password=secret", "--spring.rabbitmq.virtual-host=" + broker.virtualHost(),
					"--rabbit-retry.message-policies.Order.queue=" + QUEUE,
					"--rabbit-retry.message-policies.Order.retry-backoff=fixed",
					"--rabbit-retry.message-policies.Order.initial-delay=200ms",
					"--rabbit-retry.message-policies.Order.broker-attempts=1",
					"--rabbit-retry.message-policies.Order.max-retry-age=1m",
					"--rabbit-retry.message-policies.Order.local-attempts=1", "--rabbit-retry.shutdown-timeout=2s"),
					Stream.of(more))
				.toArray(String[]::new));
	}

	private void send(List<String> bodies) throws Exception {
		for (String body : bodies) {
			this.channel.basicPublish("", QUEUE, TestBroker.json(body.split("x")[0]).build(), body.getBytes());
		}
		this.channel.waitForConfirmsOrDie(10_000);
	}

	/** For channels that are opened from then on. */
	private void limit(int bytes, Sending before) throws Exception {
		this.application.getBean(RabbitListenerEndpointRegistry.class).stop();
		before.run();
		broker.ctl("eval", "application:set_env(rabbit, max_message_size, " + bytes
				+ "), persistent_term:put(max_message_size, " + bytes + ").");
		this.application.getBean(RabbitListenerEndpointRegistry.class).start();
	}

	private ConfirmedPublishers publishers() {
		return this.application.getBean(ConfirmedPublishers.class);
	}

	private HealthProblem await(String code) {
		return Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.until(() -> problems().stream().filter((problem) -> problem.code().equals(code)).findFirst(),
					(problem) -> problem.isPresent())
			.orElseThrow();
	}

	private List<HealthProblem> problems() {
		Map<String, HealthSource> sources = this.application.getBeansOfType(HealthSource.class);
		return sources.values().stream().flatMap((source) -> source.problems().stream()).toList();
	}

	private long ready(String queue) throws Exception {
		return this.channel.messageCount(queue);
	}

	private void awaitParked(List<String> all, int different) {
		Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> {
			all.addAll(parked());
			return Set.copyOf(all).size() == different;
		});
	}

	private List<String> parked() throws Exception {
		List<String> ids = new ArrayList<>();
		GetResponse message = this.channel.basicGet(QUEUE + ".parking-lot", true);
		while (message != null) {
			ids.add(message.getProps().getMessageId());
			message = this.channel.basicGet(QUEUE + ".parking-lot", true);
		}
		return ids;
	}

	/** How many channels were opened so far, by the broker's own count. */
	private static int opened() {
		return Integer.parseInt(
				broker.ctl("-q", "eval", "element(4, hd(ets:lookup(connection_churn_metrics, node()))).").strip());
	}

	private interface Sending {

		void run() throws Exception;

	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Application {

		static final AtomicInteger FAILURES = new AtomicInteger();

		static final Semaphore GATE = new Semaphore(0);

		static final Set<String> HANDLED = ConcurrentHashMap.newKeySet();

		@RabbitListener(queues = QUEUE)
		void on(Message message) throws InterruptedException {
			String body = new String(message.getBody(), StandardCharsets.UTF_8);
			if (body.equals("fail held")) {
				GATE.acquire();
			}
			if (body.startsWith("fail")) {
				FAILURES.incrementAndGet();
				throw new IllegalStateException("downstream is away");
			}
			HANDLED.add(body);
		}

	}

}
