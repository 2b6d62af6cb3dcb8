/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.migration;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import io.github.rabbitretry.internal.topology.QueueModel;
import io.github.rabbitretry.internal.topology.QueueRole;
import io.github.rabbitretry.internal.topology.TopologyParts;
import org.jspecify.annotations.Nullable;

/**
 * What is to be replaced, and what is to go.
 */
final class Replacements {

	private final LiveTopology live;

	private final TopologyParts wanted;

	/** Queues to be replaced, and those of which a replacement has not ended. */
	private final List<QueueModel> replaced = new ArrayList<>();

	private final Map<String, KnownQueue> leftovers = new LinkedHashMap<>();

	/** Temporary queues, and where their messages belong, or {@code null}. */
	private final Map<String, @Nullable String> temporaries = new LinkedHashMap<>();

	/** Exchanges that would route as nobody wants. */
	private final Set<String> unbound = new HashSet<>();

	Replacements(LiveTopology live, TopologyParts wanted) {
		this.live = live;
		this.wanted = wanted;
	}

	void replace(QueueModel queue) {
		this.replaced.add(queue);
	}

	void remove(String leftover, KnownQueue ours) {
		this.leftovers.put(leftover, ours);
	}

	void temporary(String queue, @Nullable String into) {
		this.temporaries.put(queue, into);
	}

	void notBoundTo(String exchange) {
		this.unbound.add(exchange);
	}

	boolean leavesUnbound(String exchange) {
		return this.unbound.contains(exchange);
	}

	boolean replaces(String queue) {
		return this.replaced.stream().anyMatch((one) -> one.name().equals(queue));
	}

	List<QueueModel> queues(Predicate<QueueRole> roles) {
		return this.replaced.stream().filter((queue) -> roles.test(queue.role())).toList();
	}

	Map<String, KnownQueue> leftovers() {
		return this.leftovers;
	}

	Map<String, KnownQueue> leftovers(QueueRole role) {
		return this.leftovers.entrySet()
			.stream()
			.filter((entry) -> entry.getValue().role() == role)
			.collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue, (one, other) -> one, LinkedHashMap::new));
	}

	Map<String, @Nullable String> temporaries() {
		return this.temporaries;
	}

	boolean wants(String queue) {
		return this.wanted.queues().stream().anyMatch((one) -> one.name().equals(queue));
	}

	/** Whether a queue is there and not as it must be. */
	boolean isReplaced(QueueModel model) {
		SeenQueue there = this.live.queues().get(model.name());
		return there != null
				&& (!there.lasting() || !there.arguments().equals(SeenQueue.comparable(model.declaredArguments())));
	}

	List<Route> wantedRoutes(QueueModel queue) {
		return this.wanted.bindings()
			.stream()
			.map(Route::of)
			.filter((route) -> route.leadsTo(queue.name()) && !this.unbound.contains(route.exchange()))
			.toList();
	}

}
