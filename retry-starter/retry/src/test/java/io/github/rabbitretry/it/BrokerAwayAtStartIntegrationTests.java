/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.github.rabbitretry.broker.Broker;
import io.github.rabbitretry.internal.multiconnection.TopologyPerConnection;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.core.Binding;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * The broker comes up after the application, which binds a queue of its own to one of our
 * exchanges, as the migration guide does.
 */
class BrokerAwayAtStartIntegrationTests {

	private static final String QUEUE = "away.order";

	private static final String DELETE_EXCHANGE = "rabbit_exchange:delete(rabbit_misc:r(<<\"/\">>, exchange, <<\"%s.dlx\">>), false, <<\"test\">>)."
		.formatted(QUEUE);

	@Test
	void theTopologyIsDeclaredOnceTheBrokerIsThereBeforeUsersBindings() throws Exception {
		try (Broker broker = Broker.start()) {
			assumeTrue(broker.canControl(), "a broker that is only named can't be killed");
			broker.kill();
			try (ConfigurableApplicationContext application = start(broker)) {
				assertThat(application.isRunning()).isTrue();
				broker.startAgain();
				ConnectionFactory factory = new ConnectionFactory();
				factory.setUri(broker.amqpUri());
				try (Connection connection = factory.newConnection("test")) {
					Awaitility.await()
						.atMost(Duration.ofSeconds(60))
						.until(() -> broker.ctl("-q", "list_bindings", "source_name", "destination_name")
							.contains(QUEUE + ".dlx\taside"));
					try (Channel channel = connection.createChannel()) {
						channel.confirmSelect();
						channel.basicPublish("", QUEUE, TestBroker.json("m-1").build(), "{}".getBytes());
						channel.waitForConfirmsOrDie(10_000);
						Awaitility.await()
							.atMost(Duration.ofSeconds(60))
							.until(() -> channel.messageCount(QUEUE + ".parking-lot") == 1);
					}
				}
			}
		}
	}

	@Test
	void whatIsMissingIsAProblemOfHealthUntilItIsThere() {
		try (Broker broker = Broker.start()) {
			assumeTrue(broker.canControl(), "a broker that is only named can't be killed");
			broker.kill();
			try (ConfigurableApplicationContext verifying = start(broker, Quiet.class,
					"rabbit-retry.topology.mode=verify", "rabbit-retry.topology.policies=ignore",
					"rabbit-retry.dead-letter-consumer.enabled=false")) {
				assertThat(problems(verifying)).isEmpty();
				broker.startAgain();
				Awaitility.await()
					.atMost(Duration.ofSeconds(60))
					.pollInterval(Duration.ofMillis(500))
					.untilAsserted(() -> {
						connect(verifying);
						assertThat(problems(verifying)).contains("topology-missing queue '" + QUEUE + ".parking-lot'");
					});
				try (ConfigurableApplicationContext declaring = start(broker, Quiet.class)) {
					awaitProblems(verifying);
					broker.ctl("delete_queue", QUEUE + ".dlq");
					broker.ctl("eval", DELETE_EXCHANGE);
					awaitProblems(declaring, "topology-missing exchange '" + QUEUE + ".dlx'",
							"topology-missing queue '" + QUEUE + ".dlq'");
					declaring.getBean(CachingConnectionFactory.class).resetConnection();
					connect(declaring);
					awaitProblems(declaring);
				}
			}
		}
	}

	/** On the connection that is there. */
	private static void awaitProblems(ConfigurableApplicationContext application, String... expected) {
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.untilAsserted(() -> assertThat(problems(application)).containsExactlyInAnyOrder(expected));
	}

	private static void connect(ConfigurableApplicationContext application) {
		application.getBean(CachingConnectionFactory.class).createConnection().isOpen();
	}

	private static List<String> problems(ConfigurableApplicationContext application) {
		return application.getBean(TopologyPerConnection.class)
			.problems()
			.stream()
			.filter((problem) -> problem.code().equals("topology-missing"))
			.map((problem) -> problem.code() + " " + problem.subject())
			.toList();
	}

	private static ConfigurableApplicationContext start(Broker broker) {
		return start(broker, Application.class);
	}

	private static ConfigurableApplicationContext start(Broker broker, Class<?> type, String... more) {
		return new SpringApplicationBuilder(type).web(WebApplicationType.NONE)
			.run(Stream
				.concat(Stream.of(more),
						Stream.of("spring.rabbitmq.host=" + broker.host(), "spring.rabbitmq.port=" + broker.port(),
								"spring.rabbitmq.username=" + broker.username(),
								"spring.rabbitmq.password=" + broker.password(),
								"rabbit-retry.message-policies.Order.queue=" + QUEUE,
								"rabbit-retry.message-policies.Order.broker-attempts=0"))
				.map("--"::concat)
				.toArray(String[]::new));
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Quiet {

	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Application {

		@Bean
		Queue aside() {
			return new Queue("aside");
		}

		@Bean
		Binding deadLettersToo() {
			return new Binding("aside", Binding.DestinationType.QUEUE, QUEUE + ".dlx", QUEUE + ".dlq", Map.of());
		}

		@RabbitListener(queues = QUEUE)
		void handle(String body) {
			throw new IllegalStateException("downstream is away");
		}

	}

}
