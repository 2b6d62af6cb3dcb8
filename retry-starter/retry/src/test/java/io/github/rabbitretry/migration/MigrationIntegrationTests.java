/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.migration;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.GetResponse;
import io.github.rabbitretry.broker.Broker;
import io.github.rabbitretry.it.TestApplication;
import io.github.rabbitretry.it.TestBroker;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.core.Binding;
import org.springframework.amqp.core.BindingBuilder;
import org.springframework.amqp.core.DirectExchange;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Runs the migration guide, with the configurations and the commands that stand there.
 */
class MigrationIntegrationTests {

	private static final String BOOT = "From Spring Boot's retry";

	private static final String HAND_MADE = "From hand-made dead-letter and TTL queues";

	private static final String CLASSIC = "A classic queue that stays";

	private static final String NEW_QUEUE = "From a classic to a new quorum queue";

	private static final int MESSAGES = 5000;

	private final MigrationGuide guide = MigrationGuide.read();

	private TestBroker broker;

	@BeforeEach
	void connect() {
		assumeTrue(Broker.shared().canControl());
		this.broker = TestBroker.connect();
		Orders.reset();
	}

	@AfterEach
	void remove() {
		this.broker.close();
		this.broker = TestBroker.connect();
		this.broker.deleteAll("orders");
		this.broker.deleteAll("reminders");
		this.broker.close();
	}

	@Test
	void everySectionOfTheGuideHasItsTest() {
		assertThat(this.guide.headings()).containsExactlyInAnyOrder(BOOT, HAND_MADE, CLASSIC, NEW_QUEUE);
	}

	@Test
	void fromBootsRetryInThreeChangesWithoutLosingOneOf5000Messages() throws Exception {
		MigrationGuide.Section section = this.guide.section(BOOT);
		assertThat(section.changes()).hasSizeBetween(1, 3);
		Orders.failing((id) -> id % 100 == 0, (calls) -> calls == 1);
		CountDownLatch migrated = new CountDownLatch(1);
		ExecutorService producer = Executors.newSingleThreadExecutor();
		try {
			Future<?> published;
			try (ConfigurableApplicationContext before = start(Service.class, section.configuration(0))) {
				published = producer.submit(() -> publish(0, MESSAGES, migrated));
				await(() -> Orders.handled() >= MESSAGES / 5);
			}
			int handledBefore = Orders.handled();
			assertThat(handledBefore).isLessThan(MESSAGES);
			Orders.failing((id) -> id % 100 == 0, (calls) -> calls <= 3);
			try (ConfigurableApplicationContext after = start(Service.class, section.configuration(1))) {
				migrated.countDown();
				published.get();
				await(() -> Orders.handled() == MESSAGES);
			}
			assertThat(this.broker.ready("orders")).isZero();
			assertThat(this.broker.ready("orders.parking-lot")).isZero();
		}
		finally {
			producer.shutdownNow();
		}
		assertThat(section.notRun()).isEmpty();
	}

	@Test
	void oldAndNewInstancesRunSideBySideWithoutLosingAMessage() throws Exception {
		MigrationGuide.Section section = this.guide.section(BOOT);
		MigrationGuide.Section classic = this.guide.section(CLASSIC);
		int messages = 2000;
		// some recover, and some never do: old instances reject those
		int hopeless = 27;
		Orders.failing((id) -> id % 25 == 0, (calls) -> calls <= 2 || Orders.current() % 75 == 0);
		String[] shorter = Stream.of(section.configuration(1))
			.map((property) -> property.replace("broker-attempts=3", "broker-attempts=1"))
			.toArray(String[]::new);
		ExecutorService producer = Executors.newSingleThreadExecutor();
		ConfigurableApplicationContext before = start(Service.class, section.configuration(0));
		try (ConfigurableApplicationContext after = start(Service.class, shorter)) {
			classic.run(classic.commands(0).get(0));
			Future<?> published = producer.submit(() -> publish(0, messages, new CountDownLatch(0)));
			await(() -> Orders.handled() >= messages / 2);
			assertThat(this.broker.channel().consumerCount("orders")).isEqualTo(2);
			before.close();
			published.get();
			await(() -> Orders.handled() == messages - hopeless);
			Awaitility.await()
				.atMost(Duration.ofSeconds(60))
				.untilAsserted(() -> assertThat(this.broker.ready("orders.parking-lot")).isEqualTo(hopeless));
			assertThat(this.broker.ready("orders")).isZero();
		}
		finally {
			before.close();
			producer.shutdownNow();
			classic.run(classic.commands(1).get(0));
		}
	}

	@Test
	void fromHandMadeQueuesWithoutLosingWhatWaitsInThem() throws Exception {
		MigrationGuide.Section section = this.guide.section(HAND_MADE);
		Channel channel = this.broker.channel();
		channel.exchangeDeclare("orders.dlx", "direct", true);
		channel.queueDeclare("orders.wait", true, false, false,
				Map.of("x-message-ttl", 1000, "x-dead-letter-exchange", "", "x-dead-letter-routing-key", "orders"));
		channel.queueBind("orders.wait", "orders.dlx", "orders");
		channel.queueDeclare("orders.dlq", true, false, false, null);
		channel.queueDeclare("orders", true, false, false, Map.of("x-dead-letter-exchange", "orders.dlx"));
		IntStream.range(0, 20).forEach((id) -> this.broker.send("orders", null, String.valueOf(id)));
		for (int id = 0; id < 20; id++) {
			rejectOne();
		}
		try (ConfigurableApplicationContext after = start(HandMade.class, section.configuration(0))) {
			await(() -> Orders.handled() == 20);
			assertThat(section.run(section.commands(0).get(0))).containsPattern("orders.wait\\s+0\\s+0");
			section.run(section.commands(0).get(1));
			assertThat(this.broker.queues("orders")).doesNotContain("orders.wait").contains("orders.dlq");
			after.getBean(RabbitListenerEndpointRegistry.class).stop();
			this.broker.send("orders", null, "21");
			rejectOne();
			assertThat(TestBroker.text(this.broker.take("orders.parking-lot"))).containsEntry("x-app-retry-reason",
					"REJECTED");
		}
		assertThat(section.notRun()).isEmpty();
	}

	@Test
	void deadLettersOfAClassicQueueAreParkedByTheGuidesCommand() throws Exception {
		MigrationGuide.Section section = this.guide.section(CLASSIC);
		String command = section.commands(0).get(0);
		try (ConfigurableApplicationContext after = start(Service.class, section.configuration(0))) {
			section.run(command);
			after.getBean(RabbitListenerEndpointRegistry.class).stop();
			this.broker.send("orders", null, "1");
			rejectOne();
			assertThat(TestBroker.text(this.broker.take("orders.parking-lot"))).containsEntry("x-app-retry-reason",
					"REJECTED");
		}
		finally {
			section.run(section.commands(1).get(0));
		}
		assertThat(section.notRun()).isEmpty();
	}

	@Test
	void theServiceDrainsAClassicQueueThatIsReplacedByAQuorumQueue() throws Exception {
		MigrationGuide.Section section = this.guide.section(NEW_QUEUE);
		this.broker.channel().queueDeclare("orders", true, false, false, null);
		IntStream.range(0, 100).forEach((id) -> this.broker.send("orders", null, String.valueOf(id)));
		Orders.failing((id) -> id % 10 == 0, (calls) -> calls <= 2);
		try (ConfigurableApplicationContext after = start(NewQueue.class, section.configuration(0))) {
			for (int id = 100; id < 200; id++) {
				publishTo("orders.events", "order", id);
			}
			await(() -> Orders.handled() == 200);
		}
		assertThat(section.run(section.commands(0).get(0))).containsPattern("(?m)^orders\\s+0\\s+0");
		section.run(section.commands(0).get(1));
		assertThat(this.broker.queues("orders")).doesNotContain("orders");
		assertThat(section.notRun()).isEmpty();
	}

	private void rejectOne() throws IOException {
		Channel channel = this.broker.channel();
		GetResponse message = Awaitility.await()
			.until(() -> channel.basicGet("orders", false), (response) -> response != null);
		channel.basicReject(message.getEnvelope().getDeliveryTag(), false);
	}

	private void publishTo(String exchange, String key, int id) throws Exception {
		this.broker.channel().basicPublish(exchange, key, true, null, String.valueOf(id).getBytes());
		this.broker.channel().waitForConfirmsOrDie(10_000);
	}

	/** Publishes orders, the last fifth of them once the service has migrated. */
	private static void publish(int first, int end, CountDownLatch migrated) {
		try (TestBroker broker = TestBroker.connect()) {
			for (int id = first; id < end; id++) {
				if (id == end - end / 5) {
					migrated.await();
				}
				broker.channel().basicPublish("orders.in", "order", true, null, String.valueOf(id).getBytes());
				if (id % 20 == 19) {
					broker.channel().waitForConfirmsOrDie(10_000);
				}
			}
			broker.channel().waitForConfirmsOrDie(10_000);
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static void await(Callable<Boolean> condition) {
		Awaitility.await().atMost(Duration.ofSeconds(90)).pollInterval(Duration.ofMillis(20)).until(condition);
	}

	private static ConfigurableApplicationContext start(Class<?> application, String[] configuration) {
		return TestApplication.start(application, configuration);
	}

	/** Stays as it is through the whole migration. */
	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Service {

		@Bean
		Queue orders() {
			return new Queue("orders");
		}

		@Bean
		Queue reminders() {
			return new Queue("reminders");
		}

		@Bean
		DirectExchange incoming() {
			return new DirectExchange("orders.in");
		}

		@Bean
		Binding binding() {
			return BindingBuilder.bind(orders()).to(incoming()).with("order");
		}

		@RabbitListener(queues = "orders")
		void handle(byte[] order) {
			Orders.handle(new String(order));
		}

	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class HandMade {

		@Bean
		Queue orders() {
			return new Queue("orders", true, false, false, Map.of("x-dead-letter-exchange", "orders.dlx"));
		}

		@Bean
		Binding givenUp() {
			return new Binding("orders.broker-dlq", Binding.DestinationType.QUEUE, "orders.dlx", "orders", null);
		}

		@RabbitListener(queues = "orders")
		void handle(byte[] order) {
			Orders.handle(new String(order));
		}

	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class NewQueue {

		@RabbitListener(queues = "orders.v2")
		void handle(byte[] order) {
			Orders.handle(new String(order));
		}

	}

}
