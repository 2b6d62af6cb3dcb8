/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.migration;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import io.github.rabbitretry.internal.management.UnreadableBinding;
import io.github.rabbitretry.internal.topology.BindingModel;
import io.github.rabbitretry.internal.topology.ExchangeModel;
import io.github.rabbitretry.internal.topology.TopologyParts;
import org.jspecify.annotations.Nullable;

/**
 * Plans the end of exchanges and bindings that nothing needs any more, after that of the
 * queues. Exchanges that producers publish to are theirs, whoever declared them.
 */
final class LeftoverExchanges {

	private static final String DEAD_LETTER_EXCHANGE = "x-dead-letter-exchange";

	private final Draft draft;

	private final List<MigratedType> types;

	private final TopologyParts wanted;

	private final KnownQueues known;

	LeftoverExchanges(Draft draft, List<MigratedType> types, TopologyParts wanted, KnownQueues known) {
		this.draft = draft;
		this.types = types;
		this.wanted = wanted;
		this.known = known;
	}

	void remove() {
		removeBindings();
		Set<String> needed = this.wanted.exchanges().stream().map(ExchangeModel::name).collect(Collectors.toSet());
		Map<String, String> ours = this.known.exchanges(this.types);
		Set<String> leftovers = new LinkedHashSet<>();
		for (String name : new TreeSet<>(ours.keySet())) {
			SeenExchange there = this.draft.exchange(name);
			if (there == null || needed.contains(name)) {
				continue;
			}
			if (!there.lasting() || !there.type().equals(ours.get(name)) || !there.arguments().isEmpty()) {
				keep(name, "it has a name of ours, and is not as we declare it: %s %s".formatted(there.type(),
						there.arguments()));
			}
			else {
				leftovers.add(name);
			}
		}
		keepUsed(leftovers);
		for (String name : leftovers) {
			this.draft.routesFrom(name).stream().filter(Route::leadsToQueue).forEach(this.draft::unbind);
		}
		// one that leads to another is in use until that is gone
		while (!leftovers.isEmpty()) {
			List<String> free = leftovers.stream().filter((name) -> this.draft.routesFrom(name).isEmpty()).toList();
			if (free.isEmpty()) {
				leftovers.forEach((name) -> keep(name, "it leads to an exchange that stays"));
				return;
			}
			free.forEach(this.draft::deleteExchange);
			free.forEach(leftovers::remove);
		}
	}

	/** To keep one may be a reason to keep another. */
	private void keepUsed(Set<String> leftovers) {
		boolean all = false;
		while (!all) {
			all = true;
			for (String name : List.copyOf(leftovers)) {
				String user = user(name, leftovers);
				if (user != null) {
					keep(name, user);
					leftovers.remove(name);
					all = false;
				}
			}
		}
	}

	private @Nullable String user(String name, Set<String> leftovers) {
		List<String> queues = this.draft.queuesWith(DEAD_LETTER_EXCHANGE, name);
		if (!queues.isEmpty()) {
			return "queue '%s' dead-letters to it".formatted(queues.get(0));
		}
		if (this.draft.isNamedByPolicy(name)) {
			return "a policy dead-letters to it, or has it as alternate exchange";
		}
		List<String> exchanges = this.draft.exchangesWith("alternate-exchange", name);
		if (!exchanges.isEmpty()) {
			return "it is the alternate exchange of '%s'".formatted(exchanges.get(0));
		}
		List<UnreadableBinding> unreadable = this.draft.unreadableAt(name);
		if (!unreadable.isEmpty()) {
			return "it is not known what it is for: " + unreadable.get(0).description();
		}
		for (Route route : this.draft.routesFrom(name)) {
			boolean known = route.leadsToQueue() ? isWanted(route.destination())
					: leftovers.contains(route.destination());
			if (!known) {
				return "it leads to '%s'".formatted(route.destination());
			}
		}
		for (Route route : this.draft.routes((one) -> !one.leadsToQueue() && one.destination().equals(name))) {
			if (!leftovers.contains(route.exchange())) {
				return "exchange '%s' leads to it".formatted(route.exchange());
			}
		}
		return null;
	}

	private boolean isWanted(String queue) {
		return this.wanted.queues().stream().anyMatch((model) -> model.name().equals(queue));
	}

	/**
	 * Keys of queues that are gone, which lead from exchanges that stay to the queues
	 * that took their messages.
	 */
	private void removeBindings() {
		Set<Route> needed = this.wanted.bindings().stream().map(Route::of).collect(Collectors.toSet());
		Set<String> destinations = this.wanted.bindings()
			.stream()
			.map(BindingModel::destination)
			.collect(Collectors.toSet());
		Set<String> direct = this.wanted.exchanges()
			.stream()
			.filter((exchange) -> exchange.type().equals("direct"))
			.map(ExchangeModel::name)
			.collect(Collectors.toSet());
		for (Route route : this.draft.routes((one) -> direct.contains(one.exchange()) && !needed.contains(one))) {
			boolean gone = this.known.get(route.key()) != null && !this.draft.hasQueue(route.key());
			if (gone && route.leadsToQueue() && destinations.contains(route.destination())
					&& route.arguments().isEmpty()) {
				this.draft.unbind(route);
			}
		}
	}

	private void keep(String name, String why) {
		this.draft.leaveAlone("exchange '%s'".formatted(name), why);
	}

}
