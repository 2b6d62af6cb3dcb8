/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.doctor;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.MessageProperties;
import io.github.rabbitretry.broker.Broker;
import io.github.rabbitretry.broker.Management;
import io.github.rabbitretry.internal.declaration.DeclaredBrokerAccess;
import io.github.rabbitretry.internal.management.Json;
import io.github.rabbitretry.internal.broker.ManagementAccess;
import io.github.rabbitretry.internal.operations.TestTypes;
import io.github.rabbitretry.internal.permission.NeededPermissions;
import io.github.rabbitretry.internal.permission.PermissionPattern;
import io.github.rabbitretry.internal.snapshot.ExpectedTopology;
import io.github.rabbitretry.internal.topology.MessageTopology;
import io.github.rabbitretry.internal.topology.QueueDefinition;
import io.github.rabbitretry.internal.topology.RetryQueueScope;
import io.github.rabbitretry.internal.topology.TopologyParts;
import io.github.rabbitretry.internal.topology.TypeTopology;
import io.github.rabbitretry.internal.topology.WorkQueueMode;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.Binding.DestinationType;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;

/**
 * A virtual host with the whole topology of four message types and consumers, as a user
 * with the least permissions needs it; to be broken.
 */
final class BrokenBroker implements AutoCloseable {

	/** With a retry queue for each delay. */
	static final String ORDER = "order";

	/** With the ring that services share. */
	static final String SHARED = "shared";

	/** What the first one was called before. */
	static final MessageTopology FORMER = MessageTopology.of("order.v0")
		.delays(List.of(Duration.ofSeconds(30)))
		.build();

	/** An existing queue. */
	static final String LEGACY = "legacy";

	/** One message after the other. */
	static final String ORDERED = "ordered";

	static final String WORKER = "doctor-worker";

	private final String virtualHost;

	private final Management management = Broker.shared().management();

	private final ConnectionFactory clients = new ConnectionFactory();

	private final Connection connection;

	/** A consumer's. */
	private @Nullable Connection publishing;

	private final Map<String, Channel> consumers = new HashMap<>();

	private final List<TypeTopology> types = types();

	private final CachingConnectionFactory connections;

	BrokenBroker(String virtualHost) {
		this.virtualHost = virtualHost;
		this.management.put("/api/vhosts/" + virtualHost, "{}");
		this.management.put("/api/permissions/%s/%s".formatted(virtualHost, Broker.shared().username()),
				"{\"configure\":\".*\",\"write\":\".*\",\"read\":\".*\"}");
		this.management.put("/api/users/" + WORKER, "{\"password\":\"w\",\"tags\":\"\"}");
		this.clients.setHost(Broker.shared().host());
		this.clients.setPort(Broker.shared().port());
		this.clients.setUsername(Broker.shared().username());
		this.clients.setPassword(Broker.shared().password());
		this.clients.setVirtualHost(virtualHost);
		this.connections = new CachingConnectionFactory(this.clients);
		this.connection = connect();
		declare();
		permit();
		List.of(ORDER, ORDER + ".quarantine", ORDER + ".dlq", SHARED, SHARED + ".dlq", LEGACY, LEGACY + ".dlq", ORDERED,
				ORDERED + ".dlq")
			.forEach(this::consume);
	}

	static List<TypeTopology> types() {
		return List.of(
				type("Order",
						MessageTopology.of(ORDER)
							.formerQueues(List.of(FORMER.queue()))
							.boundTo("orders", List.of("order.*"))
							.delays(List.of(Duration.ofSeconds(10), Duration.ofHours(1)))
							.exactDelays(true)
							.quarantine(true)
							.longestHold(Duration.ofSeconds(100))
							.build()),
				type("Shared", MessageTopology.of(SHARED).ring(RetryQueueScope.SHARED).build()),
				type("Legacy",
						MessageTopology.of(LEGACY)
							.workQueue(WorkQueueMode.EXISTING)
							.delays(List.of(Duration.ofMinutes(1)))
							.longestHold(Duration.ofSeconds(100))
							.build()),
				type("Ordered", MessageTopology.of(ORDERED).singleActiveConsumer(true).build()));
	}

	private static TypeTopology type(String type, MessageTopology topology) {
		return new TypeTopology(type, "team-orders", topology, topology.quarantined(), null);
	}

	Connection connect() {
		try {
			return this.clients.newConnection("doctor-test");
		}
		catch (IOException | TimeoutException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private void declare() {
		queue(LEGACY, "\"durable\":true", Map.of());
		declare(expected().parts());
		healthyPolicies();
	}

	void declare(TopologyParts parts) {
		try (Channel channel = this.connection.createChannel()) {
			for (QueueDefinition queue : parts.queues()) {
				if (!queue.existing()) {
					channel.queueDeclare(queue.name(), true, false, false, new HashMap<>(queue.arguments()));
				}
			}
			for (var exchange : parts.exchanges()) {
				channel.exchangeDeclare(exchange.name(), exchange.type(), true, false,
						new HashMap<>(exchange.arguments()));
			}
			for (var binding : parts.bindings()) {
				if (binding.type() == DestinationType.QUEUE) {
					channel.queueBind(binding.destination(), binding.exchange(), binding.routingKey());
				}
				else {
					channel.exchangeBind(binding.destination(), binding.exchange(), binding.routingKey());
				}
			}
		}
		catch (IOException | TimeoutException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private void healthyPolicies() {
		policy("legacy-dlx", "^legacy$",
				"{\"dead-letter-exchange\":\"legacy.dlx\",\"dead-letter-routing-key\":\"legacy.dlq\"}");
	}

	/** What the worker needs, and nothing else. */
	void permit() {
		NeededPermissions needed = expected().permissions();
		put("permissions", WORKER, Json.write(Map.of("configure", pattern(needed.configure()), "write",
				pattern(needed.write()), "read", pattern(needed.read()))));
	}

	private String pattern(Set<String> names) {
		return PermissionPattern.of(names, this.types);
	}

	ExpectedTopology expected() {
		return ExpectedTopology.of(TestTypes.application(this.types, true), WORKER);
	}

	QueueDefinition model(String queue) {
		return expected().queues().get(queue);
	}

	/** A new one each time, since answers are kept for seconds. */
	TopologyReport examine() {
		URI uri = Broker.shared().managementUri().orElseThrow();
		return examine(new ManagementAccess("http://%s:%d".formatted(uri.getHost(), uri.getPort()),
				Broker.shared().username(), Broker.shared().password()));
	}

	TopologyReport examine(ManagementAccess access) {
		return new TopologyDoctor(this::expected, new DeclaredBrokerAccess(this.connections, this.connections, access),
				InstantSource.system())
			.examine();
	}

	void put(String kind, String rest, String json) {
		this.management.put("/api/%s/%s/%s".formatted(kind, this.virtualHost, rest), json);
	}

	void post(String kind, String rest, String json) {
		this.management.post("/api/%s/%s/%s".formatted(kind, this.virtualHost, rest), json);
	}

	void delete(String kind, String rest) {
		this.management.delete("/api/%s/%s/%s".formatted(kind, this.virtualHost, rest));
	}

	void policy(String name, String pattern, String definition) {
		put("policies", name, "{\"pattern\":%s,\"apply-to\":\"all\",\"priority\":3,\"definition\":%s}"
			.formatted(Json.write(pattern), definition));
	}

	void operatorPolicy(String name, String pattern, String definition) {
		put("operator-policies", name, "{\"pattern\":%s,\"apply-to\":\"queues\",\"priority\":3,\"definition\":%s}"
			.formatted(Json.write(pattern), definition));
	}

	/** Removes all policies but those that a healthy topology has. */
	void noPolicies() {
		for (String kind : List.of("policies", "operator-policies")) {
			Object all = Json.read(this.management.get("/api/%s/%s".formatted(kind, this.virtualHost)));
			((List<?>) all).forEach(
					(policy) -> delete(kind, String.valueOf(((Map<?, ?>) policy).get("name")).replace(" ", "%20")));
		}
		healthyPolicies();
	}

	/** Ends or starts the replica of a quorum queue. */
	void server(String queue, String operation) {
		Broker.shared()
			.ctl("eval",
					"{ok, Q} = rabbit_amqqueue:lookup(rabbit_misc:r(<<\"%s\">>, queue, <<\"%s\">>)), ra:%s(quorum_queues, amqqueue:get_pid(Q))."
						.formatted(this.virtualHost, queue, operation));
	}

	void queue(String name, String attributes, Map<String, Object> arguments) {
		put("queues", name, "{%s,\"arguments\":%s}".formatted(attributes, Json.write(arguments)));
	}

	/** Makes a queue of ours anew, not as it should be. */
	void otherwise(String name, Map<String, Object> changed, String... without) {
		Map<String, Object> arguments = new HashMap<>(model(name).arguments());
		arguments.putAll(changed);
		Stream.of(without).forEach(arguments::remove);
		anew(name, "\"durable\":true", arguments);
	}

	/** Makes a queue of ours anew, as it should be. */
	void asExpected(String name) {
		anew(name, "\"durable\":true", model(name).arguments());
	}

	void unbind(String exchange, String queue, String key) {
		try (Channel channel = this.connection.createChannel()) {
			channel.queueUnbind(queue, exchange, key);
		}
		catch (IOException | TimeoutException ex) {
			throw new IllegalStateException(ex);
		}
	}

	void publishConfirmed(String queue, int messages) {
		try (Channel channel = this.connection.createChannel()) {
			channel.confirmSelect();
			for (int number = 0; number < messages; number++) {
				channel.basicPublish("", queue, true, MessageProperties.PERSISTENT_BASIC, new byte[1]);
			}
			channel.waitForConfirmsOrDie(10_000);
		}
		catch (IOException | InterruptedException | TimeoutException ex) {
			throw new IllegalStateException(ex);
		}
	}

	long ready(String queue) {
		try (Channel channel = this.connection.createChannel()) {
			return channel.messageCount(queue);
		}
		catch (IOException | TimeoutException ex) {
			throw new IllegalStateException(ex);
		}
	}

	void deleteAll() {
		expected().parts().queues().forEach((queue) -> delete("queues", queue.name()));
		expected().parts().exchanges().forEach((exchange) -> delete("exchanges", exchange.name()));
	}

	void anew(String name, String attributes, Map<String, Object> arguments) {
		delete("queues", name);
		queue(name, attributes, arguments);
		expected().bindings()
			.stream()
			.filter((binding) -> binding.type() == DestinationType.QUEUE && binding.destination().equals(name))
			.forEach((binding) -> bind(binding.exchange(), "q", name, binding.routingKey()));
	}

	void exchange(String name, String type, String arguments) {
		put("exchanges", name, "{\"type\":\"%s\",\"durable\":true,\"arguments\":%s}".formatted(type, arguments));
	}

	void bind(String source, String kind, String destination, String key) {
		post("bindings", "e/%s/%s/%s".formatted(source, kind, destination),
				"{\"routing_key\":%s}".formatted(Json.write(key)));
	}

	/** As a client may do that sends the bytes of another character set. */
	void bindUnreadably(String exchange, String queue) {
		unreadable("add", exchange, queue);
	}

	void unbindUnreadable(String exchange, String queue) {
		unreadable("remove", exchange, queue);
	}

	private void unreadable(String operation, String exchange, String queue) {
		Broker.shared()
			.ctl("eval",
					"rabbit_binding:%1$s({binding, rabbit_misc:r(<<\"%2$s\">>, exchange, <<\"%3$s\">>), <<\"order.odd\">>, rabbit_misc:r(<<\"%2$s\">>, queue, <<\"%4$s\">>), [{<<255>>, longstr, <<\"x\">>}]}, <<\"test\">>)."
						.formatted(operation, this.virtualHost, exchange, queue));
	}

	void publish(String exchange, String key) {
		post("exchanges", exchange + "/publish",
				"{\"properties\":{\"delivery_mode\":2},\"routing_key\":\"%s\",\"payload\":\"x\",\"payload_encoding\":\"string\"}"
					.formatted(key));
	}

	void consume(String queue) {
		try {
			Channel channel = this.connection.createChannel();
			channel.basicConsume(queue, false, new DefaultConsumer(channel));
			this.consumers.put(queue, channel);
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	void stopConsuming(String queue) {
		try {
			this.consumers.remove(queue).close();
		}
		catch (IOException | TimeoutException ex) {
			throw new IllegalStateException(ex);
		}
	}

	void consumeOnce(String queue, boolean exclusive) {
		try {
			Channel channel = connect().createChannel();
			channel.basicConsume(queue, false, "stranger", false, exclusive, null, new DefaultConsumer(channel));
			this.consumers.put("stranger", channel);
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** Publishes on the connection of a consumer. */
	void consumeAndPublish(String queue) {
		try {
			this.publishing = connect();
			Channel channel = this.publishing.createChannel();
			channel.basicConsume(queue, false, new DefaultConsumer(channel));
			channel.basicPublish("amq.fanout", "nobody", null, new byte[1]);
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	void closePublishing() {
		Objects.requireNonNull(this.publishing, "a consumer publishes").abort();
	}

	String get(String path) {
		return this.management.get(path);
	}

	Management management() {
		return this.management;
	}

	String virtualHost() {
		return this.virtualHost;
	}

	@Override
	public void close() {
		this.connection.abort();
		this.connections.destroy();
		this.management.delete("/api/users/" + WORKER);
		try {
			this.management.delete("/api/vhosts/" + this.virtualHost);
		}
		catch (UncheckedIOException ex) {
			// the broker goes on with it, which takes long where there are thousands of
			// queues
		}
	}

}
