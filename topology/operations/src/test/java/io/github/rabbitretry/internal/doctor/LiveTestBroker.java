/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.doctor;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.github.rabbitretry.internal.brokerpolicy.BrokerPolicies;
import io.github.rabbitretry.internal.brokerpolicy.BrokerPolicy;
import io.github.rabbitretry.internal.management.NameRegex;
import io.github.rabbitretry.internal.snapshot.BrokerSnapshot.UnreadableBinding;
import io.github.rabbitretry.internal.snapshot.BindingSnapshot;
import io.github.rabbitretry.internal.snapshot.BrokerSnapshot;
import io.github.rabbitretry.internal.snapshot.BrokerSnapshot.ConnectionSnapshot;
import io.github.rabbitretry.internal.snapshot.BrokerSnapshot.ConsumerSnapshot;
import io.github.rabbitretry.internal.snapshot.BrokerSnapshot.UserSnapshot;
import io.github.rabbitretry.internal.snapshot.ExchangeSnapshot;
import io.github.rabbitretry.internal.snapshot.ExpectedTopology;
import io.github.rabbitretry.internal.snapshot.QueueSnapshot;
import io.github.rabbitretry.internal.topology.BindingDefinition;
import io.github.rabbitretry.internal.topology.QueueDefinition;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.Binding.DestinationType;

/**
 * A virtual host as the doctor reads it, with all that is expected; to be broken.
 */
final class LiveTestBroker {

	static final String USER = "service";

	final ExpectedTopology expected;

	final Map<String, QueueSnapshot> queues = new LinkedHashMap<>();

	final Map<String, ExchangeSnapshot> exchanges = new LinkedHashMap<>();

	final List<BindingSnapshot> bindings = new ArrayList<>();

	boolean allBindings = true;

	boolean consumersKnown = true;

	final List<UnreadableBinding> unreadable = new ArrayList<>();

	final List<BrokerPolicy> policies = new ArrayList<>();

	private final List<BrokerPolicy> unreadablePolicies = new ArrayList<>();

	final List<ConsumerSnapshot> consumers = new ArrayList<>();

	final Map<String, ConnectionSnapshot> connections = new HashMap<>();

	@Nullable UserSnapshot user;

	String version = "4.3.6";

	LiveTestBroker(ExpectedTopology expected) {
		this.expected = expected;
		expected.parts().queues().forEach(this::queue);
		expected.parts()
			.exchanges()
			.forEach((model) -> exchange(model.name(), model.type(), new HashMap<>(model.arguments())));
		expected.parts().bindings().forEach(this::bind);
	}

	private void queue(QueueDefinition model) {
		queue(model.name(), "quorum", 0, new HashMap<>(model.arguments()));
	}

	void queue(String name, String type, long messages, Map<String, @Nullable Object> arguments) {
		this.queues.put(name, new QueueSnapshot(name, type, true, false, arguments, messages, messages, 0, "running",
				"rabbit@a", List.of("rabbit@a"), List.of("rabbit@a")));
	}

	void exchange(String name, String type, Map<String, @Nullable Object> arguments) {
		this.exchanges.put(name, new ExchangeSnapshot(name, type, true, false, false, arguments));
	}

	void bind(BindingDefinition model) {
		this.bindings.add(new BindingSnapshot(model.exchange(), model.destination(),
				model.type() == DestinationType.QUEUE, model.routingKey(), model.routingKey(), Map.of()));
	}

	void bind(String exchange, String key, String queue) {
		bind(new BindingDefinition(exchange, key, DestinationType.QUEUE, queue));
	}

	void bind(String exchange, String queue, Map<String, @Nullable Object> arguments) {
		this.bindings.add(new BindingSnapshot(exchange, queue, true, "", "~hash", arguments));
	}

	/** What the management API tells of one of which it can't tell the rest. */
	void bindUnreadably(String exchange, String queue) {
		this.unreadable.add(new UnreadableBinding(exchange, queue, true, "HTTP status 500"));
	}

	void unbind(String exchange, String queue) {
		this.bindings.removeIf((binding) -> binding.source().equals(exchange) && binding.destination().equals(queue));
	}

	void policy(String name, String pattern, Map<String, Object> definition) {
		this.policies.add(new BrokerPolicy(name, false, NameRegex.of(pattern), "all", 3, definition));
	}

	/** With a pattern that only RabbitMQ understands. */
	void unreadablePolicy(String name) {
		this.unreadablePolicies.add(new BrokerPolicy(name, false, NameRegex.of(""), "all", 3, Map.of()));
	}

	/** Whose queue it consumes. */
	void consume(String connection, String as, String queue) {
		this.connections.put(connection, new ConnectionSnapshot(connection, "", as, "running", 0));
		this.consumers.add(new ConsumerSnapshot(queue, "tag", false, connection));
	}

	BrokerSnapshot live() {
		return new BrokerSnapshot("/", "http://127.0.0.1:15672", this.version, this.queues, this.queues.size(),
				this.exchanges, this.bindings, this.allBindings, this.unreadable,
				new BrokerPolicies(this.policies, this.unreadablePolicies),
				this.consumersKnown ? Optional.of(this.consumers) : Optional.empty(), this.connections, this.user,
				List.of(), List.of());
	}

	List<Finding> examine(DoctorCheck examination) {
		return examination.examine(this.expected, live());
	}

}
