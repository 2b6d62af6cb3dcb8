/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.migration;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import io.github.rabbitretry.internal.management.UnreadableBinding;
import io.github.rabbitretry.internal.topology.MessageTopology;
import io.github.rabbitretry.internal.topology.TopologyParts;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What steps make of a broker, without messages. It refuses what a broker refuses.
 */
final class SimulatedBroker {

	private final Map<String, SeenQueue> queues = new TreeMap<>();

	private final Map<String, SeenExchange> exchanges = new TreeMap<>();

	private final Set<Route> routes = new LinkedHashSet<>();

	private final List<UnreadableBinding> unreadable = new ArrayList<>();

	private final Set<String> namedByPolicies = new LinkedHashSet<>();

	static SimulatedBroker with(MessageTopology... topologies) {
		SimulatedBroker broker = new SimulatedBroker();
		TopologyParts parts = TopologyParts.of(Arrays.asList(topologies));
		parts.queues()
			.stream()
			.filter((queue) -> !queue.existing())
			.forEach((queue) -> broker.queue(queue.name(), queue.declaredArguments()));
		parts.exchanges()
			.forEach((exchange) -> broker.exchange(exchange.name(), exchange.type(), exchange.arguments()));
		parts.bindings().forEach((binding) -> broker.routes.add(Route.of(binding)));
		return broker;
	}

	SimulatedBroker queue(String name, Map<String, Object> arguments) {
		this.queues.put(name, new SeenQueue(name, true, false, true, arguments));
		return this;
	}

	SimulatedBroker shortLived(String name) {
		this.queues.put(name, new SeenQueue(name, true, true, true, Map.of()));
		return this;
	}

	SimulatedBroker unavailable(String name) {
		this.queues.computeIfPresent(name,
				(known, queue) -> new SeenQueue(known, queue.durable(), queue.shortLived(), false, queue.arguments()));
		return this;
	}

	SimulatedBroker exchange(String name, String type, Map<String, Object> arguments) {
		this.exchanges.put(name, new SeenExchange(name, type, true, arguments));
		return this;
	}

	SimulatedBroker route(Route route) {
		this.routes.add(route);
		return this;
	}

	SimulatedBroker unreadable(String exchange, String queue) {
		this.unreadable.add(new UnreadableBinding(exchange, queue, true, "HTTP status 500"));
		return this;
	}

	SimulatedBroker policyNames(String exchange) {
		this.namedByPolicies.add(exchange);
		return this;
	}

	SimulatedBroker without(Route route) {
		this.routes.remove(route);
		return this;
	}

	SimulatedBroker copy() {
		SimulatedBroker copy = new SimulatedBroker();
		copy.queues.putAll(this.queues);
		copy.exchanges.putAll(this.exchanges);
		copy.routes.addAll(this.routes);
		copy.unreadable.addAll(this.unreadable);
		copy.namedByPolicies.addAll(this.namedByPolicies);
		return copy;
	}

	LiveTopology live() {
		return new LiveTopology(new TreeMap<>(this.queues), new TreeMap<>(this.exchanges),
				new LinkedHashSet<>(this.routes), List.copyOf(this.unreadable), Set.copyOf(this.namedByPolicies));
	}

	Set<String> queues() {
		return this.queues.keySet();
	}

	Set<String> exchanges() {
		return this.exchanges.keySet();
	}

	Set<Route> routes() {
		return this.routes;
	}

	SeenQueue queue(String name) {
		return this.queues.get(name);
	}

	void run(List<MigrationPlan.PlannedStep> steps) {
		steps.forEach((step) -> run(step.step()));
	}

	private void run(MigrationStep step) {
		if (step instanceof MigrationStep.CreateExchange create) {
			exchange(create.exchange().name(), create.exchange().type(), create.exchange().arguments());
		}
		else if (step instanceof MigrationStep.CreateQueue create) {
			assertThat(this.queues).as("406").doesNotContainKey(create.queue());
			queue(create.queue(), create.arguments());
		}
		else if (step instanceof MigrationStep.Bind bind) {
			assertThat(this.exchanges).containsKey(bind.route().exchange());
			assertThat(bind.route().leadsToQueue() ? queues() : exchanges()).contains(bind.route().destination());
			this.routes.add(bind.route());
		}
		else if (step instanceof MigrationStep.Unbind unbind) {
			this.routes.remove(unbind.route());
		}
		else if (step instanceof MigrationStep.Move move) {
			assertThat(this.queues).containsKeys(move.from(), move.into());
		}
		else if (step instanceof MigrationStep.Drain drain) {
			drain.queues().forEach(this::leadsOn);
		}
		else if (step instanceof MigrationStep.DeleteQueue delete) {
			assertThat(this.routes).as("bindings of '%s'", delete.queue())
				.noneMatch((route) -> route.leadsTo(delete.queue()));
			assertThat(this.queues.remove(delete.queue()).arguments()).isEqualTo(delete.arguments());
		}
		else if (step instanceof MigrationStep.DeleteExchange delete) {
			assertThat(this.routes).as("in use").noneMatch((route) -> route.exchange().equals(delete.exchange()));
			this.routes.removeIf((route) -> !route.leadsToQueue() && route.destination().equals(delete.exchange()));
			assertThat(this.exchanges.remove(delete.exchange())).isNotNull();
		}
	}

	/** What expires there finds a queue, or would be lost, or stay for ever. */
	private void leadsOn(String queue) {
		Map<String, Object> arguments = this.queues.get(queue).arguments();
		Object exchange = arguments.get("x-dead-letter-exchange");
		Object key = arguments.get("x-dead-letter-routing-key");
		if (arguments.containsKey("x-message-ttl") && key != null) {
			if ("".equals(exchange)) {
				assertThat(queues()).contains((String) key);
			}
			else {
				assertThat(this.routes)
					.anyMatch((route) -> route.exchange().equals(exchange) && route.key().equals(key));
			}
		}
	}

}
