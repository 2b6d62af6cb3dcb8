/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.migration;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

import io.github.rabbitretry.internal.management.UnreadableBinding;
import io.github.rabbitretry.internal.migration.MigrationPlan.LeftAlone;
import io.github.rabbitretry.internal.migration.MigrationPlan.PlannedStep;
import io.github.rabbitretry.internal.topology.ExchangeModel;
import org.jspecify.annotations.Nullable;

/**
 * A plan in the making, and what will be on the broker after its steps: a step that would
 * change nothing is none.
 */
final class Draft {

	private final Map<String, Map<String, Object>> queues = new TreeMap<>();

	private final Map<String, SeenExchange> exchanges;

	private final Set<Route> routes;

	private final List<UnreadableBinding> unreadable;

	private final Set<String> namedByPolicies;

	private final List<PlannedStep> steps = new ArrayList<>();

	private final Set<LeftAlone> leftAlone = new LinkedHashSet<>();

	private final List<String> obstacles = new ArrayList<>();

	private boolean paused;

	Draft(LiveTopology live) {
		live.queues().forEach((name, queue) -> this.queues.put(name, queue.arguments()));
		this.exchanges = new TreeMap<>(live.exchanges());
		this.routes = new LinkedHashSet<>(live.routes());
		this.unreadable = live.unreadable();
		this.namedByPolicies = live.namedByPolicies();
	}

	MigrationPlan plan() {
		return new MigrationPlan(this.steps, List.copyOf(this.leftAlone), this.obstacles);
	}

	/** From here on steps need a pause, or need none. */
	void paused(boolean paused) {
		this.paused = paused;
	}

	void leaveAlone(String what, String why) {
		this.leftAlone.add(new LeftAlone(what, why));
	}

	boolean hasSteps() {
		return !this.steps.isEmpty();
	}

	/** Nothing is applied before it is gone. */
	void obstacle(String why) {
		this.obstacles.add(why);
	}

	boolean hasQueue(String name) {
		return this.queues.containsKey(name);
	}

	boolean hasExchange(String name) {
		return name.isEmpty() || this.exchanges.containsKey(name);
	}

	@Nullable SeenExchange exchange(String name) {
		return this.exchanges.get(name);
	}

	Map<String, Object> arguments(String queue) {
		return this.queues.getOrDefault(queue, Map.of());
	}

	/** The queues that have an argument of that value. */
	List<String> queuesWith(String argument, String value) {
		return this.queues.entrySet()
			.stream()
			.filter((entry) -> value.equals(entry.getValue().get(argument)))
			.map(Map.Entry::getKey)
			.toList();
	}

	List<String> exchangesWith(String argument, String value) {
		return this.exchanges.values()
			.stream()
			.filter((exchange) -> value.equals(exchange.arguments().get(argument)))
			.map(SeenExchange::name)
			.toList();
	}

	boolean isNamedByPolicy(String exchange) {
		return this.namedByPolicies.contains(exchange);
	}

	List<Route> routes(Predicate<Route> which) {
		return this.routes.stream().filter(which).toList();
	}

	List<Route> routesTo(String queue) {
		return routes((route) -> route.leadsTo(queue));
	}

	List<Route> routesFrom(String exchange) {
		return routes((route) -> route.exchange().equals(exchange));
	}

	/** What is bound there, beside its routes. */
	List<UnreadableBinding> unreadableTo(String queue) {
		return this.unreadable.stream().filter((binding) -> binding.leadsToQueue(queue)).toList();
	}

	List<UnreadableBinding> unreadableAt(String exchange) {
		return this.unreadable.stream().filter((binding) -> binding.isAtExchange(exchange)).toList();
	}

	void createExchange(ExchangeModel model) {
		if (!hasExchange(model.name())) {
			this.exchanges.put(model.name(), new SeenExchange(model.name(), model.type(), true, model.arguments()));
			add(new MigrationStep.CreateExchange(model));
		}
	}

	void createQueue(String name, Map<String, Object> arguments) {
		if (!hasQueue(name)) {
			this.queues.put(name, SeenQueue.comparable(arguments));
			add(new MigrationStep.CreateQueue(name, arguments));
		}
	}

	void bind(Route route) {
		if (this.routes.add(route)) {
			add(new MigrationStep.Bind(route));
		}
	}

	void unbind(Route route) {
		if (this.routes.remove(route)) {
			add(new MigrationStep.Unbind(route));
		}
	}

	void move(String from, String into) {
		add(new MigrationStep.Move(from, into, false));
	}

	void moveRest(String from, String into) {
		add(new MigrationStep.Move(from, into, true));
	}

	void drain(List<String> names) {
		if (!names.isEmpty()) {
			long longest = names.stream()
				.map((name) -> arguments(name).get("x-message-ttl"))
				.mapToLong((ttl) -> (ttl instanceof Number millis) ? millis.longValue() : 0)
				.max()
				.orElse(0);
			add(new MigrationStep.Drain(names, Duration.ofMillis(longest)));
		}
	}

	void deleteQueue(String name, @Nullable String into) {
		Map<String, Object> arguments = this.queues.remove(name);
		if (arguments != null) {
			this.routes.removeIf((route) -> route.leadsTo(name));
			add(new MigrationStep.DeleteQueue(name, arguments, into));
		}
	}

	void deleteExchange(String name) {
		if (this.exchanges.remove(name) != null) {
			this.routes.removeIf((route) -> !route.leadsToQueue() && route.destination().equals(name));
			add(new MigrationStep.DeleteExchange(name));
		}
	}

	/**
	 * Has another queue take what a queue is bound for. Between two bindings that follow
	 * each other a message may find both queues, and be there twice, or none. The latter
	 * is better where the publisher publishes it again.
	 * @param from the queue
	 * @param into the other one
	 * @param publishedAgain which bindings only get what is published again until it
	 * finds a queue
	 */
	void switchRoutes(String from, String into, Predicate<Route> publishedAgain) {
		for (Route route : routesTo(from)) {
			if (publishedAgain.test(route)) {
				unbind(route);
				bind(route.to(into));
			}
			else {
				bind(route.to(into));
				unbind(route);
			}
		}
	}

	private void add(MigrationStep step) {
		this.steps.add(new PlannedStep(step, this.paused));
	}

}
