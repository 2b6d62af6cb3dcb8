/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.DefaultConsumer;
import io.github.rabbitretry.broker.Broker;
import io.github.rabbitretry.broker.Management;
import io.github.rabbitretry.internal.declaration.TopologyMismatchException;
import io.github.rabbitretry.internal.export.BrokerExport;
import io.github.rabbitretry.internal.export.ExportOptions;
import io.github.rabbitretry.internal.export.Role;
import io.github.rabbitretry.internal.management.Json;
import io.github.rabbitretry.internal.topology.ApplicationTopology;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * An application whose users have what the export gives them, and nothing else.
 */
class LeastPrivilegeIntegrationTests {

	private static final String QUEUE = "least.order";

	private static final String STAYS = "least.existing";

	private static final List<Role> ROLES = List.of(Role.TOPOLOGY, Role.WORKER, Role.MONITOR);

	private final TestBroker broker = TestBroker.connect();

	@BeforeEach
	void exportAndDeclare() {
		makeUsersAndDeclare();
	}

	/**
	 * By the management API: {@code rabbitmqctl} takes seconds for each command.
	 */
	private static void makeUsersAndDeclare(String... properties) {
		Management management = Broker.shared().management();
		List<String> exported;
		try (ConfigurableApplicationContext configured = start(Idle.class, "guest", "none", properties)) {
			exported = export(configured).permissionCommands(ROLES);
		}
		ROLES.forEach((role) -> management.put("/api/users/least-" + name(role), Json
			.write(Map.of("password", TestCommand.PASSWORD, "tags", (role == Role.MONITOR) ? "management" : ""))));
		permit(exported, "set_permissions", "permissions", "configure", "write", "read");
		start(Idle.class, "least-topology", "declare", properties).close();
		permit(exported, "set_topic_permissions", "topic-permissions", "exchange", "write", "read");
	}

	private static void permit(List<String> commands, String command, String path, String... names) {
		for (String line : commands) {
			List<String> words = List.of(line.replace("'", "").split(" "));
			if (words.get(1).equals(command)) {
				Map<String, String> permission = new HashMap<>();
				for (int index = 0; index < names.length; index++) {
					permission.put(names[index], words.get(5 + index));
				}
				Broker.shared()
					.management()
					.put("/api/%s/%s/%s".formatted(path, URLEncoder.encode(words.get(3), StandardCharsets.UTF_8),
							words.get(4)), Json.write(permission));
			}
		}
	}

	private static BrokerExport export(ConfigurableApplicationContext application) {
		return new BrokerExport(application.getBean(ApplicationTopology.class).types(),
				new ExportOptions("least", Broker.shared().virtualHost(), false, List.of(), List.of()));
	}

	@AfterEach
	void remove() {
		this.broker.deleteAll("least");
		this.broker.close();
		ROLES.forEach((role) -> Broker.shared().management().delete("/api/users/least-" + name(role)));
	}

	private static String name(Role role) {
		return role.name().toLowerCase(Locale.ROOT);
	}

	@Test
	void messagesAreHandledRetriedParkedAndTriagedByTheWorkersUser() throws Exception {
		try (ConfigurableApplicationContext worker = start(Worker.class, "least-worker", "verify")) {
			this.broker.sendJson(QUEUE, "good", Map.of(), "{}");
			this.broker.sendJson(QUEUE, "heals", Map.of(), "{}");
			this.broker.sendJson(QUEUE, "later", Map.of(), "{}");
			this.broker.sendJson(QUEUE, "bad", Map.of(), "{}");
			Worker listener = worker.getBean(Worker.class);
			Awaitility.await()
				.untilAsserted(() -> assertThat(listener.handled)
					.containsAllEntriesOf(Map.of("good", 1, "heals", 2, "later", 2)));
			assertThat(this.broker.take(QUEUE + ".parking-lot").getProps().getMessageId()).isEqualTo("bad");
			// as RabbitMQ dead-letters it
			this.broker.sendJson(QUEUE + ".dlq", "dead", Map.of(), "{}");
			assertThat(this.broker.take(QUEUE + ".parking-lot").getProps().getMessageId()).isEqualTo("dead");
			assertThat(
					worker.getBean("rabbitRetryHealthIndicator", HealthIndicator.class).health().getStatus().getCode())
				.isEqualTo("UP");
		}
	}

	@Test
	void theWorkersUserMayDoNothingElse() throws Exception {
		try (Connection connection = connect("least-worker")) {
			refused(connection, (channel) -> channel.queueDeclare("least.mine", true, false, false, Map.of()));
			refused(connection, (channel) -> channel.queueDelete(QUEUE));
			refused(connection, (channel) -> channel.queuePurge(QUEUE + ".parking-lot"));
			refused(connection, (channel) -> channel.queueBind(QUEUE + ".retry.200ms", QUEUE + ".dlx", "any"));
			refused(connection,
					(channel) -> channel.basicConsume(QUEUE + ".parking-lot", new DefaultConsumer(channel)));
			refused(connection, (channel) -> publish(channel, "", QUEUE));
			refused(connection, (channel) -> publish(channel, "amq.topic", QUEUE));
			String key = "0.".repeat(21) + "1.";
			refused(connection, (channel) -> publish(channel, "rabbit-retry.delay.v1", key + "somebody.else"));
			refused(connection, (channel) -> publish(channel, "rabbit-retry.delay.v1.1s", key + "somebody.else"));
			refused(connection, (channel) -> publish(channel, "rabbit-retry.delay.v1.delivery", key + QUEUE));
		}
	}

	@Test
	void verifyingFindsAMissingQueue() throws IOException {
		this.broker.channel().queueDelete(QUEUE + ".parking-lot");
		assertThatExceptionOfType(TopologyMismatchException.class)
			.isThrownBy(() -> start(Worker.class, "least-worker", "verify"))
			.satisfies((ex) -> assertThat(ex.problems()).singleElement()
				.hasFieldOrPropertyWithValue("what", "queue '%s.parking-lot'".formatted(QUEUE)));
	}

	@Test
	void anExistingQueueIsServedThroughTheDefaultExchange() throws Exception {
		this.broker.channel().queueDeclare(STAYS, true, false, false, Map.of("x-queue-type", "classic"));
		String[] existing = { "rabbit-retry.message-policies.Order.queue=" + STAYS,
				"rabbit-retry.message-policies.Order.work-queue=existing" };
		ROLES.forEach((role) -> Broker.shared().management().delete("/api/users/least-" + name(role)));
		makeUsersAndDeclare(existing);
		try (ConfigurableApplicationContext worker = start(Worker.class, "least-worker", "verify", existing)) {
			this.broker.sendJson(STAYS, "heals", Map.of(), "{}");
			this.broker.sendJson(STAYS, "later", Map.of(), "{}");
			Awaitility.await()
				.untilAsserted(() -> assertThat(worker.getBean(Worker.class).handled)
					.containsAllEntriesOf(Map.of("heals", 2, "later", 2)));
		}
	}

	private static void publish(Channel channel, String exchange, String key) throws IOException {
		channel.confirmSelect();
		channel.basicPublish(exchange, key, null, new byte[0]);
		try {
			channel.waitForConfirmsOrDie(10_000);
		}
		catch (InterruptedException | TimeoutException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static void refused(Connection connection, Operation operation) throws Exception {
		Channel channel = connection.createChannel();
		assertThatThrownBy(() -> operation.on(channel)).hasStackTraceContaining("ACCESS_REFUSED");
	}

	private static Connection connect(String user) throws Exception {
		ConnectionFactory factory = new ConnectionFactory();
		factory.setHost(Broker.shared().host());
		factory.setPort(Broker.shared().port());
		factory.setVirtualHost(Broker.shared().virtualHost());
		factory.setUsername(user);
		factory.setPassword(TestCommand.PASSWORD);
		factory.setAutomaticRecoveryEnabled(false);
		return factory.newConnection();
	}

	private static ConfigurableApplicationContext start(Class<?> application, String user, String mode,
			String... more) {
		String[] properties = { "rabbit-retry.topology.mode=" + mode,
				"rabbit-retry.message-policies.Order.queue=" + QUEUE,
				"rabbit-retry.message-policies.Order.retry-backoff=fixed",
				"rabbit-retry.message-policies.Order.initial-delay=200ms",
				"rabbit-retry.message-policies.Order.broker-attempts=1",
				"rabbit-retry.message-policies.Order.local-attempts=1",
				"rabbit-retry.message-policies.Order.max-retry-age=1m",
				"rabbit-retry.message-policies.Order.exact-delays=true",
				"rabbit-retry.dead-letter-consumer.enabled=" + application.equals(Worker.class),
				"rabbit-retry.classification.rules[0].exception=java.io.IOException",
				"rabbit-retry.classification.rules[0].failure-class=transient",
				"rabbit-retry.classification.rules[0].reason=AWAY", "rabbit-retry.classification.rules[0].delay=750ms",
				"rabbit-retry.broker.management-url=http://127.0.0.1:"
						+ Broker.shared().managementUri().orElseThrow().getPort() };
		List<String> arguments = new ArrayList<>(TestBroker.arguments());
		if (!user.equals("guest")) {
			arguments.removeIf((argument) -> argument.matches("--spring.rabbitmq.(username|password)=.*"));
			arguments.addAll(
					List.of("--spring.rabbitmq.username=" + user, "--spring.rabbitmq.password=" + TestCommand.PASSWORD,
							"--rabbit-retry.broker.management-username=least-monitor",
							"--rabbit-retry.broker.management-password=" + TestCommand.PASSWORD));
		}
		Stream.concat(Stream.of(properties), Stream.of(more)).forEach((property) -> {
			arguments.removeIf((argument) -> argument.startsWith("--" + property.replaceFirst("=.*", "=")));
			arguments.add("--" + property);
		});
		return new SpringApplicationBuilder(application).web(WebApplicationType.NONE)
			.run(arguments.toArray(String[]::new));
	}

	private interface Operation {

		void on(Channel channel) throws IOException;

	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Idle {

	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Worker {

		final Map<String, Integer> handled = new ConcurrentHashMap<>();

		private final Map<String, AtomicInteger> calls = new ConcurrentHashMap<>();

		@RabbitListener(queues = "${rabbit-retry.message-policies.Order.queue}")
		void handle(Message message) throws IOException {
			String id = message.getMessageProperties().getMessageId();
			int call = this.calls.computeIfAbsent(id, (key) -> new AtomicInteger()).incrementAndGet();
			if (id.equals("bad") || id.equals("heals") && call == 1) {
				throw new IllegalStateException("not now");
			}
			if (id.equals("later") && call == 1) {
				throw new IOException("later");
			}
			this.handled.put(id, call);
		}

	}

}
