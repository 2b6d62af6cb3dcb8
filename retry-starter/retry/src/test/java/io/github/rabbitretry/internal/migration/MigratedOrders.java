/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.migration;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.GetResponse;
import io.github.rabbitretry.broker.Broker;
import io.github.rabbitretry.broker.Management;
import io.github.rabbitretry.internal.brokerpolicy.BrokerPolicyMode;
import io.github.rabbitretry.internal.brokerpolicy.RequiredPolicies;
import io.github.rabbitretry.internal.brokerpolicy.RequiredPolicy;
import io.github.rabbitretry.internal.handover.ConfirmedPublishers;
import io.github.rabbitretry.internal.handover.HandoverSettings;
import io.github.rabbitretry.internal.management.Json;
import io.github.rabbitretry.internal.management.ManagementAccess;
import io.github.rabbitretry.internal.topology.MessageTopology;
import io.github.rabbitretry.it.TestBroker;
import io.github.rabbitretry.topology.DelayRoute;
import org.awaitility.Awaitility;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A broker with the former topology and messages everywhere in it, their producer, the
 * service that takes them, and a ledger of what was sent and what arrived.
 */
final class MigratedOrders implements AutoCloseable {

	private static final AtomicInteger number = new AtomicInteger();

	/** By virtual host. */
	private static final Map<String, Collection<String>> ARRIVED = new ConcurrentHashMap<>();

	private final Collection<String> arrived = new ConcurrentLinkedQueue<>();

	private final TopologyChange change;

	/** One of its own, so that several run side by side. */
	private final String virtualHost;

	private final TestBroker broker;

	private final Channel channel;

	private final List<String> sent = new ArrayList<>();

	private final AtomicInteger returned = new AtomicInteger();

	private volatile int sentMeanwhile;

	MigratedOrders(TopologyChange change) throws IOException {
		this.change = change;
		this.virtualHost = "migrated-" + number.incrementAndGet();
		Management management = Broker.shared().management();
		management.put("/api/vhosts/" + this.virtualHost, "{}");
		management.put("/api/permissions/%s/%s".formatted(this.virtualHost, Broker.shared().username()),
				"{\"configure\":\".*\",\"write\":\".*\",\"read\":\".*\"}");
		List<RequiredPolicy> policies = RequiredPolicies.of(List.of(change.former(), change.wanted()));
		if (change.type().minimal()) {
			management.post("/api/definitions", Json.write(Map.of("policies",
					policies.stream().map((policy) -> policy.asDefinition(this.virtualHost, 10)).toList())));
		}
		ARRIVED.put(this.virtualHost, this.arrived);
		this.broker = TestBroker.connect(this.virtualHost);
		this.channel = this.broker.channel();
		this.channel.addReturnListener((message) -> this.returned.incrementAndGet());
		declareFormer();
	}

	String virtualHost() {
		return this.virtualHost;
	}

	private void declareFormer() throws IOException {
		execute(new MigratedType(this.change.former(), null));
		if (this.change == TopologyChange.FIRST_VERSION) {
			FirstVersion.declare(this.channel, TopologyChange.QUEUE);
		}
	}

	private void execute(MigratedType type) throws IOException {
		try (CloseableMigration migration = migration(type)) {
			assertThat(migration.migration().apply(true, Duration.ofSeconds(30), (number, step) -> {
			}).left().steps()).isEmpty();
		}
	}

	/** As the command line makes it. */
	CloseableMigration migration(MigratedType type) {
		CachingConnectionFactory factory = new CachingConnectionFactory(Broker.shared().amqpUri());
		factory.setVirtualHost(this.virtualHost);
		ConfirmedPublishers publishers = new ConfirmedPublishers(
				new HandoverSettings(1000, Duration.ofSeconds(30), Duration.ofSeconds(5)));
		return new CloseableMigration(
				new Migration(factory, access(), publishers, List.of(type), Set.of(), BrokerPolicyMode.FAIL), () -> {
					publishers.close();
					factory.destroy();
				});
	}

	static ManagementAccess access() {
		URI uri = Broker.shared().managementUri().orElseThrow();
		return new ManagementAccess("http://%s:%d".formatted(uri.getHost(), uri.getPort()), Broker.shared().username(),
				Broker.shared().password());
	}

	record CloseableMigration(Migration migration, Runnable end) implements AutoCloseable {

		@Override
		public void close() {
			this.end.run();
		}

	}

	/** Fills every kind of queue. */
	void fill(int messages) throws Exception {
		MessageTopology former = this.change.former();
		DelayRoute shorter = former.route(Duration.ofMillis(1000));
		DelayRoute longer = former.route(Duration.ofMillis(3000));
		for (int number = 0; number < messages; number++) {
			switch (number % 10) {
				case 0, 1, 2 -> send(TopologyChange.EXCHANGE, TopologyChange.KEY);
				case 3 -> send(former.deadLetterExchange(), former.parkingLot());
				case 4 -> send(former.deadLetterExchange(), former.deadLetterQueue());
				case 5, 6 -> send(shorter.exchange(), shorter.routingKey());
				default -> {
					if (this.change == TopologyChange.FIRST_VERSION) {
						send(TopologyChange.QUEUE + ".delay", "0.".repeat(18) + "1.0.1.1." + TopologyChange.QUEUE);
					}
					else {
						send(longer.exchange(), longer.routingKey());
					}
				}
			}
		}
		this.channel.waitForConfirmsOrDie(60_000);
		assertThat(this.returned).hasValue(0);
	}

	private void send(String exchange, String key) throws IOException {
		String id = "m-" + this.sent.size();
		this.sent.add(id);
		this.channel.basicPublish(exchange, key, true, TestBroker.json(id).headers(Map.of("x-tenant", id)).build(),
				"{}".getBytes(StandardCharsets.UTF_8));
	}

	/** Publishes to the exchange, as producers do, until something is done. */
	void sendWhile(BooleanSupplier running, int perSecond) throws Exception {
		while (running.getAsBoolean()) {
			send(TopologyChange.EXCHANGE, TopologyChange.KEY);
			this.sentMeanwhile++;
			LockSupport.parkNanos(1_000_000_000 / perSecond);
		}
		this.channel.waitForConfirmsOrDie(60_000);
		assertThat(this.returned).as("returned to a producer").hasValue(0);
	}

	int sentMeanwhile() {
		return this.sentMeanwhile;
	}

	/** One after the other: Spring Boot has one logging system for the process. */
	ConfigurableApplicationContext start() {
		Stream<String> broker = TestBroker.arguments()
			.stream()
			.filter((argument) -> !argument.startsWith("--spring.rabbitmq.virtual-host="));
		Stream<String> own = Stream
			.concat(Stream.of("spring.rabbitmq.virtual-host=" + this.virtualHost,
					"rabbit-retry.broker.management-url=" + access().url()), Stream.of(this.change.properties()))
			.map((property) -> "--" + property);
		synchronized (ARRIVED) {
			return new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
				.run(Stream.concat(broker, own).toArray(String[]::new));
		}
	}

	static void stop(ConfigurableApplicationContext service) {
		synchronized (ARRIVED) {
			service.close();
		}
	}

	/** Waits until all is handled, or parked, where the dead letters of the fill go. */
	Set<String> awaitAll() {
		String parkingLot = this.change.wanted().parkingLot();
		Set<String> seen = new HashSet<>();
		Awaitility.await().atMost(Duration.ofSeconds(90)).pollInterval(Duration.ofMillis(200)).untilAsserted(() -> {
			for (GetResponse message : this.broker.drain(parkingLot)) {
				this.arrived.add(message.getProps().getMessageId());
			}
			seen.addAll(this.arrived);
			assertThat(missing(seen)).as("lost").isEmpty();
		});
		return seen;
	}

	private List<String> missing(Set<String> seen) {
		return this.sent.stream().filter((id) -> !seen.contains(id)).limit(10).toList();
	}

	/** How many messages arrived more than once. */
	int duplicates() {
		return this.arrived.size() - new HashSet<>(this.arrived).size();
	}

	List<String> queues() {
		return this.broker.queues(TopologyChange.PREFIX);
	}

	List<String> exchanges() {
		return this.broker.exchanges(TopologyChange.PREFIX);
	}

	@Override
	public void close() {
		this.broker.close();
		Broker.shared().management().delete("/api/vhosts/" + this.virtualHost);
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Application {

		private final Collection<String> arrived;

		Application(@Value("${spring.rabbitmq.virtual-host}") String virtualHost) {
			this.arrived = ARRIVED.get(virtualHost);
		}

		@RabbitListener(queues = "${rabbit-retry.message-policies.Order.queue}")
		void handle(Message message) {
			this.arrived.add(message.getMessageProperties().getMessageId());
		}

	}

}
