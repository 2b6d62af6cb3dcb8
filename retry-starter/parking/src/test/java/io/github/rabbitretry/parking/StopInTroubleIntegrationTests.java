/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.parking;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

import javax.sql.DataSource;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.GetResponse;
import io.github.rabbitretry.broker.Broker;
import io.github.rabbitretry.broker.BrokerNode;
import io.github.rabbitretry.internal.handover.ConfirmedPublishers;
import io.github.rabbitretry.it.TestBroker;
import org.awaitility.Awaitility;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.amqp.core.AmqpAdmin;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Stops of an application whose broker does not do what a stop needs.
 */
class StopInTroubleIntegrationTests {

	private static final String QUEUE = "trouble.stop";

	private static final Duration TIMEOUT = Duration.ofSeconds(5);

	/**
	 * For a busy machine, and what Spring AMQP waits for after the connections are gone.
	 */
	private static final Duration TOLERANCE = Duration.ofSeconds(5);

	private static Broker broker;

	private final List<ConfigurableApplicationContext> started = new ArrayList<>();

	private Channel channel;

	@BeforeAll
	static void startBroker() {
		broker = Broker.start();
	}

	@AfterAll
	static void stopBroker() {
		broker.close();
	}

	@BeforeEach
	void connect() throws Exception {
		assumeTrue(broker.canControl(), "a broker that is only named can't be alarmed");
		com.rabbitmq.client.ConnectionFactory factory = new com.rabbitmq.client.ConnectionFactory();
		factory.setUri(broker.amqpUri());
		Connection connection = factory.newConnection("test");
		this.channel = connection.createChannel();
		this.channel.confirmSelect();
	}

	@AfterEach
	void purge() throws Exception {
		// one that a failed test has left would consume what the next one publishes
		this.started.forEach(ConfigurableApplicationContext::close);
		for (String suffix : List.of("", ".dlq", ".parking-lot")) {
			this.channel.queuePurge(QUEUE + suffix);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "simple", "direct" })
	void aStopDuringAnAlarmTakesNoLongerThanItMay(String container) throws Exception {
		ConfigurableApplicationContext application = start(container);
		fail(20);
		broker.memoryAlarm(true);
		try {
			block(application);
			held(application, 20);
			assertThat(stopping(application)).isLessThan(TIMEOUT.plus(TOLERANCE));
		}
		finally {
			broker.memoryAlarm(false);
		}
		Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> this.channel.messageCount(QUEUE) == 20);
	}

	@ParameterizedTest
	@ValueSource(strings = { "simple", "direct" })
	void aStopWhileTheBrokerStandsStillTakesNoLongerThanItMay(String container) throws Exception {
		assumeTrue(broker instanceof BrokerNode, "the broker can't be frozen");
		ConfigurableApplicationContext application = start(container);
		fail(20);
		((BrokerNode) broker).freeze();
		try {
			held(application, 20);
			assertThat(stopping(application)).isLessThan(TIMEOUT.plus(TOLERANCE));
		}
		finally {
			((BrokerNode) broker).unfreeze();
		}
		Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> this.channel.messageCount(QUEUE) == 20);
	}

	@ParameterizedTest
	@ValueSource(strings = { "simple", "direct" })
	void aStopWithoutMessagesTakesNoLongerThanItMay(String container) throws Exception {
		assumeTrue(broker instanceof BrokerNode, "the broker can't be frozen");
		ConfigurableApplicationContext application = start(container);
		((BrokerNode) broker).freeze();
		try {
			assertThat(stopping(application)).isLessThan(TIMEOUT.plus(TOLERANCE));
		}
		finally {
			((BrokerNode) broker).unfreeze();
		}
	}

	/** On RabbitMQ 4.3; older brokers count whatever comes back. */
	@Test
	void unparkableDeadLettersGoBackUncountedWhenTheApplicationStops() throws Exception {
		start("simple").close();
		for (int i = 0; i < 20; i++) {
			this.channel.basicPublish("", QUEUE + ".dlq", TestBroker.json("d-" + i).build(), "{}".getBytes());
		}
		this.channel.waitForConfirmsOrDie(10_000);
		broker.memoryAlarm(true);
		try {
			ConfigurableApplicationContext application = start("simple");
			held(application, 20);
			application.close();
		}
		finally {
			broker.memoryAlarm(false);
		}
		Awaitility.await().until(() -> this.channel.messageCount(QUEUE + ".dlq") == 20);
		GetResponse next = this.channel.basicGet(QUEUE + ".dlq", true);
		Map<String, Object> headers = next.getProps().getHeaders();
		Long counted = broker.version().matches("4\\.[0-2]\\..*") ? 1L : null;
		assertThat((headers != null) ? headers.get("x-delivery-count") : null).isEqualTo(counted);
	}

	@ParameterizedTest
	@ValueSource(strings = { "simple", "direct" })
	void aListenerWaitsForNothingOnceTheBrokerHasCancelledItsConsumer(String container) throws Exception {
		broker.ctl("add_user", container, "secret");
		allow(container, ".*");
		ConfigurableApplicationContext application = startAs(container, "secret", container,
				"rabbit-retry.handover.max-pending=5");
		try {
			fail(20);
			allow(container, "");
			// the sixth has its listener's thread wait
			held(application, 6);
			this.channel.queueDelete(QUEUE);
			Awaitility.await().until(() -> application.getBean(ConfirmedPublishers.class).pending("Order") < 6);
			allow(container, ".*");
			application.getBean(AmqpAdmin.class).initialize();
			this.channel.basicPublish("", QUEUE, TestBroker.json("good").build(), "good".getBytes());
			Awaitility.await().atMost(Duration.ofSeconds(40)).until(() -> Listener.succeeded > 0);
		}
		finally {
			application.close();
		}
	}

	private static void allow(String user, String toWrite) {
		broker.ctl("set_permissions", "-p", broker.virtualHost(), user, ".*", toWrite, ".*");
	}

	private static Duration stopping(ConfigurableApplicationContext application) {
		long begun = System.nanoTime();
		application.close();
		return Duration.ofNanos(System.nanoTime() - begun);
	}

	/** The broker blocks a connection when it publishes. */
	private static void block(ConfigurableApplicationContext application) {
		RabbitTemplate template = new RabbitTemplate(
				application.getBean(org.springframework.amqp.rabbit.connection.ConnectionFactory.class));
		template.setUsePublisherConnection(true);
		template.convertAndSend("amq.fanout", "", "blocks the connection");
		// Spring Boot's default: the connection that the listeners consume on
		template.setUsePublisherConnection(false);
		template.convertAndSend("amq.fanout", "", "blocks the connection");
		// rabbitmqctl alone takes seconds on a busy machine
		Awaitility.await()
			.atMost(Duration.ofSeconds(60))
			.until(() -> broker.ctl("-q", "list_connections", "state").contains("blocked"));
	}

	private static void held(ConfigurableApplicationContext application, int number) {
		Listener.opened = true;
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.until(() -> application.getBean(ConfirmedPublishers.class).pending("Order") == number);
	}

	private void fail(int number) throws Exception {
		Listener.opened = false;
		Listener.succeeded = 0;
		for (int i = 0; i < number; i++) {
			this.channel.basicPublish("", QUEUE, TestBroker.json("m-" + i).build(), "{}".getBytes());
		}
		this.channel.waitForConfirmsOrDie(10_000);
		Awaitility.await().until(() -> this.channel.messageCount(QUEUE) == 0);
	}

	private ConfigurableApplicationContext start(String container, String... more) {
		return startAs(broker.username(), broker.password(), container, more);
	}

	private ConfigurableApplicationContext startAs(String user, String password, String container, String... more) {
		ConfigurableApplicationContext application = new SpringApplicationBuilder(Application.class)
			.web(WebApplicationType.NONE)
			.run(Stream.concat(Stream.of("spring.rabbitmq.host=" + broker.host(),
					"spring.rabbitmq.port=" + broker.port(), "spring.rabbitmq.virtual-host=" + broker.virtualHost(),
					"spring.rabbitmq.username=" + user, "spring.rabbitmq.password=" + password,
					"spring.rabbitmq.listener.type=" + container, "rabbit-retry.message-policies.Order.queue=" + QUEUE,
					"rabbit-retry.message-policies.Order.local-attempts=1",
					// no copy of one test comes back in the next one
					"rabbit-retry.message-policies.Order.retry-backoff=fixed",
					"rabbit-retry.message-policies.Order.initial-delay=30m",
					"rabbit-retry.message-policies.Order.broker-attempts=1",
					"rabbit-retry.shutdown-timeout=" + TIMEOUT.toSeconds() + "s", "rabbit-retry.ledger.enabled=true"),
					Stream.of(more))
				.map("--"::concat)
				.toArray(String[]::new));
		this.started.add(application);
		return application;
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Application {

		@Bean
		Listener listener() {
			return new Listener();
		}

		/** So that the ledger and its replays are to be stopped as well. */
		@Bean
		DataSource dataSource() {
			JdbcDataSource dataSource = new JdbcDataSource();
			dataSource.setUrl("jdbc:h2:mem:%s;DB_CLOSE_DELAY=-1".formatted(UUID.randomUUID()));
			return dataSource;
		}

	}

	static class Listener {

		static volatile boolean opened;

		static volatile int succeeded;

		@RabbitListener(queues = QUEUE)
		void handle(Message message) {
			while (!opened) {
				LockSupport.parkNanos(1_000_000);
			}
			if (new String(message.getBody()).equals("good")) {
				succeeded = 1;
				return;
			}
			throw new IllegalStateException("downstream is away");
		}

	}

}
