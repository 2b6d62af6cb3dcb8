/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.console;

import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;

import io.github.rabbitretry.it.TestBroker;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * A service with a console, a broker and a ledger, whose handler can be broken and
 * repaired.
 */
final class OrderService implements AutoCloseable {

	/** The parts of a queue's name. */
	private static final List<String> SUFFIXES = List.of("", ".dlq", ".parking-lot", ".quarantine", ".retry.5m");

	private final TestBroker broker = TestBroker.connect();

	private final String queue;

	private final ConfigurableApplicationContext context;

	private OrderService(String queue, ConfigurableApplicationContext context) {
		this.queue = queue;
		this.context = context;
	}

	static OrderService start(WebApplicationType type, @Nullable Class<?> security, String... properties) {
		return start("console." + UUID.randomUUID(), type, security, properties);
	}

	static OrderService start(String queue, WebApplicationType type, @Nullable Class<?> security,
			String... properties) {
		Map<String, String> arguments = new LinkedHashMap<>();
		TestBroker.arguments().forEach((argument) -> put(arguments, argument.substring(2)));
		List.of("server.port=0", "server.address=127.0.0.1", "spring.application.name=order-worker",
				"rabbit-retry.handler-version=order-worker:8", "rabbit-retry.console.environment=staging",
				"spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID(), "rabbit-retry.ledger.enabled=true",
				"spring.rabbitmq.listener.simple.concurrency=4", "test.queue=" + queue,
				"rabbit-retry.message-policies.Order.queue=" + queue,
				"rabbit-retry.message-policies.Order.owner=team-orders",
				"rabbit-retry.message-policies.Order.broker-attempts=0",
				"rabbit-retry.message-policies.Order.local-attempts=1", "rabbit-retry.replay.edit-enabled=true",
				"management.endpoints.web.exposure.include=*", "management.endpoint.parkinglot.access=unrestricted",
				"management.endpoint.replays.access=unrestricted", "management.endpoint.parkinglot.show-payload=always",
				"rabbit-retry.console.enabled=true")
			.forEach((property) -> put(arguments, property));
		if (security != null) {
			put(arguments, "spring.autoconfigure.exclude=");
		}
		Arrays.stream(properties).forEach((property) -> put(arguments, property));
		Class<?>[] sources = (security != null) ? new Class<?>[] { Application.class, security }
				: new Class<?>[] { Application.class };
		return new OrderService(queue, new SpringApplicationBuilder(sources).web(type)
			.run(arguments.entrySet().stream().map((each) -> "--" + each).toArray(String[]::new)));
	}

	private static void put(Map<String, String> arguments, String property) {
		String[] parts = property.split("=", 2);
		arguments.put(parts[0], parts[1]);
	}

	/**
	 * An address.
	 * @param path the path of the page
	 * @return the whole address of it
	 */
	String address(String path) {
		String management = this.context.getEnvironment().getProperty("local.management.port");
		return "http://127.0.0.1:%s%s".formatted((management != null) ? management
				: this.context.getEnvironment().getRequiredProperty("local.server.port"), path);
	}

	String page() {
		return address("/actuator/retryconsole");
	}

	/** Sends messages that fail, and waits until they are in the ledger. */
	void park(String kind, int count) {
		for (int number = 0; number < count; number++) {
			send(kind + "-" + number, Map.of("x-kind", kind), "{\"order\":%d,\"kind\":\"%s\"}".formatted(number, kind));
		}
		awaitParked(kind, count);
	}

	void send(String id, Map<String, Object> headers, String body) {
		Map<String, Object> all = new HashMap<>(headers);
		all.putIfAbsent("x-tenant", "tenant-17");
		this.broker.sendJson(this.queue, id, all, body);
	}

	void awaitParked(String kind, int count) {
		Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> count(kind, "PARKED") == count);
	}

	/** How many messages whose ids begin so are in a state. */
	long count(String kind, String state) {
		return rows("select count(*) from rabbit_retry_parked where message_id like ? and state = ?", kind + "%",
				state);
	}

	/** The ledger's id of a message. */
	long id(String messageId) {
		return rows("select id from rabbit_retry_parked where message_id = ?", messageId);
	}

	/** How many acts are in the audit. */
	long audited() {
		return rows("select count(*) from rabbit_retry_audit");
	}

	private long rows(String counting, Object... arguments) {
		Long count = jdbc().queryForObject(counting, Long.class, arguments);
		return (count != null) ? count : 0;
	}

	/** The ledger's database. */
	JdbcTemplate jdbc() {
		return this.context.getBean(JdbcTemplate.class);
	}

	/** How often a message whose id begins so was handled without a failure. */
	long handled(String kind) {
		return handled().stream().filter((id) -> id.startsWith(kind)).count();
	}

	/** The ids of what was handled without a failure, one for each time. */
	List<String> handled() {
		synchronized (application().handled) {
			return List.copyOf(application().handled);
		}
	}

	/** The work queue. */
	String queue() {
		return this.queue;
	}

	void repair(String kind) {
		application().repaired.add(kind);
	}

	private Application application() {
		return this.context.getBean(Application.class);
	}

	@Override
	public void close() {
		this.context.close();
		SUFFIXES.forEach((suffix) -> {
			try {
				this.broker.channel().queueDelete(this.queue + suffix);
			}
			catch (Exception ex) {
				throw new IllegalStateException(ex);
			}
		});
		this.broker.close();
	}

	/** The application. */
	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration(excludeName = Applications.OTHER_SERVER)
	static class Application {

		private final Set<String> repaired = ConcurrentHashMap.newKeySet();

		private final List<String> handled = Collections.synchronizedList(new ArrayList<>());

		@RabbitListener(queues = "${test.queue}")
		void handle(Message message) throws Exception {
			String kind = String.valueOf((Object) message.getMessageProperties().getHeader("x-kind"));
			if (!this.repaired.contains(kind)) {
				switch (kind) {
					case "timeout" -> throw new SocketTimeoutException("Read timed out");
					case "invalid" -> throw new IllegalArgumentException("amount must be positive");
					case "busy" -> throw new TimeoutException("no connection within 5 s");
					default -> throw new IllegalStateException(
							Objects.toString(message.getMessageProperties().getHeader("x-failure"), "no such order"));
				}
			}
			this.handled.add(message.getMessageProperties().getMessageId());
		}

	}

}
