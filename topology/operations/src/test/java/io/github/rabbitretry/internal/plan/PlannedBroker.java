/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.plan;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeoutException;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import io.github.rabbitretry.broker.Broker;
import io.github.rabbitretry.broker.Management;
import io.github.rabbitretry.internal.doctor.PrintedCommand;
import io.github.rabbitretry.internal.management.ManagementClient;
import io.github.rabbitretry.internal.management.ManagementSettings;
import io.github.rabbitretry.internal.operations.TestTypes;
import io.github.rabbitretry.internal.snapshot.BrokerSnapshot;
import io.github.rabbitretry.internal.snapshot.BrokerSnapshotReader;
import io.github.rabbitretry.internal.snapshot.ExpectedTopology;
import io.github.rabbitretry.internal.topology.MessageTopology;
import io.github.rabbitretry.internal.topology.TopologyParts;
import io.github.rabbitretry.internal.topology.TypeTopology;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.Binding.DestinationType;

/**
 * A virtual host with a topology that plans change, and the shell that runs them.
 */
final class PlannedBroker implements AutoCloseable {

	private static final String VIRTUAL_HOST = "planned";

	private static final String AND = " && ";

	private static final String CONTROL = AND + "rabbitmqctl ";

	private final Broker broker = Broker.shared();

	private final Management management = this.broker.management();

	private final Connection connection;

	private final Channel channel;

	/** Messages that the broker has confirmed and not returned. */
	private final Set<String> sent = new TreeSet<>();

	PlannedBroker() throws IOException, TimeoutException {
		this.management.put("/api/vhosts/" + VIRTUAL_HOST, "{}");
		this.management.put("/api/permissions/%s/%s".formatted(VIRTUAL_HOST, this.broker.username()),
				"{\"configure\":\".*\",\"write\":\".*\",\"read\":\".*\"}");
		ConnectionFactory factory = new ConnectionFactory();
		factory.setUsername(this.broker.username());
		factory.setPassword(this.broker.password());
		factory.setHost(this.broker.host());
		factory.setPort(this.broker.port());
		factory.setVirtualHost(VIRTUAL_HOST);
		this.connection = factory.newConnection("plan-test");
		this.channel = this.connection.createChannel();
		this.channel.confirmSelect();
	}

	Channel channel() {
		return this.channel;
	}

	static TypeTopology type(MessageTopology topology) {
		return new TypeTopology("Order", "team-orders", topology, topology.quarantined(), null);
	}

	void declare(MessageTopology topology) throws IOException {
		TopologyParts parts = TopologyParts.of(List.of(topology));
		for (var exchange : parts.exchanges()) {
			this.channel.exchangeDeclare(exchange.name(), exchange.type(), true, false,
					new HashMap<>(exchange.arguments()));
		}
		for (var queue : parts.queues()) {
			if (!queue.existing()) {
				this.channel.queueDeclare(queue.name(), true, false, false, new HashMap<>(queue.declaredArguments()));
			}
		}
		for (var binding : parts.bindings()) {
			if (binding.type() == DestinationType.QUEUE) {
				this.channel.queueBind(binding.destination(), binding.exchange(), binding.routingKey());
			}
			else {
				this.channel.exchangeBind(binding.destination(), binding.exchange(), binding.routingKey());
			}
		}
	}

	void limitQueues(int most) throws IOException {
		this.management.put("/api/vhost-limits/%s/max-queues".formatted(VIRTUAL_HOST),
				"{\"value\":%d}".formatted(most));
	}

	void send(String exchange, String key, String id) throws Exception {
		AMQP.BasicProperties properties = new AMQP.BasicProperties.Builder().messageId(id).deliveryMode(2).build();
		List<String> returned = new ArrayList<>();
		this.channel.clearReturnListeners();
		this.channel.addReturnListener((message) -> returned.add(key));
		this.channel.basicPublish(exchange, key, true, properties, id.getBytes(StandardCharsets.UTF_8));
		this.channel.waitForConfirmsOrDie(30_000);
		if (returned.isEmpty()) {
			this.sent.add(id);
		}
	}

	Set<String> sent() {
		return this.sent;
	}

	TopologyPlan plan(MessageTopology wanted, @Nullable MessageTopology former) {
		ExpectedTopology expected = new ExpectedTopology(TestTypes.application(List.of(type(wanted)), true), null);
		URI uri = this.broker.managementUri().orElseThrow();
		BrokerSnapshot live = new BrokerSnapshotReader(
				new ManagementClient(new ManagementSettings("http://%s:%d".formatted(uri.getHost(), uri.getPort()),
						this.broker.username(), this.broker.password(), VIRTUAL_HOST)),
				expected)
			.read();
		return new TopologyPlanner(expected, (former != null) ? List.of(type(former)) : List.of(), live).plan();
	}

	static List<String> commands(TopologyPlan plan) {
		return plan.steps().stream().flatMap((step) -> step.commands().stream()).toList();
	}

	/** Until it succeeds, as the plan says. */
	void run(String command) {
		Awaitility.await()
			.alias(command)
			.atMost(Duration.ofMinutes(3))
			.pollDelay(Duration.ZERO)
			.pollInterval(Duration.ofSeconds(1))
			.until(() -> succeeds(command));
	}

	boolean succeeds(String command) throws IOException, InterruptedException {
		int control = command.indexOf(CONTROL);
		if (control >= 0) {
			return succeeds(command.substring(0, control)) && succeeds(command.substring(control + AND.length()));
		}
		List<String> words = PrintedCommand.words(command);
		if (words.get(0).equals("rabbitmq-plugins")) {
			return this.broker.ctl("eval", "rabbit_plugins:active().").contains("rabbitmq_shovel");
		}
		if (words.get(0).equals("rabbitmqctl")) {
			this.broker.ctl(words.subList(1, words.size()).toArray(String[]::new));
			return true;
		}
		ProcessBuilder shell = new ProcessBuilder("bash", "-c", command);
		shell.environment().putAll(Map.of("RABBITMQ_ADMIN", this.broker.username() + ":" + this.broker.password()));
		return shell.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor() == 0;
	}

	/** The ids of all messages in a queue, which has none then. */
	Set<String> drain(String queue) throws IOException {
		Set<String> ids = new TreeSet<>();
		GetResponse response = this.channel.basicGet(queue, true);
		while (response != null) {
			ids.add(response.getProps().getMessageId());
			response = this.channel.basicGet(queue, true);
		}
		return ids;
	}

	boolean hasQueue(String queue) throws IOException, TimeoutException {
		try (Channel looking = this.connection.createChannel()) {
			looking.queueDeclarePassive(queue);
			return true;
		}
		catch (IOException | AlreadyClosedException ex) {
			return false;
		}
	}

	@Override
	public void close() throws IOException {
		this.connection.close();
		this.management.delete("/api/vhosts/" + VIRTUAL_HOST);
	}

}
