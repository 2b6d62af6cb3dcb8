/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.migration;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.rabbitretry.internal.topology.DelayLadder;
import io.github.rabbitretry.internal.topology.ExchangeModel;
import io.github.rabbitretry.internal.topology.QueueModel;
import io.github.rabbitretry.internal.topology.QueueRole;
import io.github.rabbitretry.internal.topology.TopologyParts;

/**
 * Makes the plan, from nothing but what is configured and what is on the broker. So the
 * plan of a migration that was killed is the rest of it.
 * <p>
 * Retry queues become empty by themselves. One whose arguments change gets a temporary
 * queue at its place, with the new arguments, until it is empty. The messages of all
 * other queues are moved: into the queue that has their place now, or into a temporary
 * queue and, once the old one is replaced, back.
 */
final class MigrationPlanner {

	private static final String TEMPORARY = MigrationPlan.TEMPORARY;

	private final List<MigratedType> types;

	private final LiveTopology live;

	private final Set<String> replaceable;

	private final TopologyParts wanted;

	private final Map<String, QueueModel> wantedQueues = new LinkedHashMap<>();

	private final KnownQueues known;

	private final Draft draft;

	private final KeptQueues keeps;

	private final Replacements replacements;

	/**
	 * Creates the planner.
	 * @param types the message types
	 * @param live what is on the broker
	 * @param replaceable queues that may be replaced although their arguments are not
	 * ours
	 */
	MigrationPlanner(List<MigratedType> types, LiveTopology live, Set<String> replaceable) {
		this.types = types;
		this.live = live;
		this.replaceable = replaceable;
		this.wanted = TopologyParts.of(types.stream().map(MigratedType::wanted).toList());
		this.wanted.queues().forEach((queue) -> this.wantedQueues.put(queue.name(), queue));
		this.known = new KnownQueues(types, live.queues().keySet());
		this.draft = new Draft(live);
		this.replacements = new Replacements(live, this.wanted);
		this.keeps = new KeptQueues(this.draft, this.known, this.wantedQueues.keySet());
	}

	static String withoutSuffix(String name) {
		return name.endsWith(TEMPORARY) ? name.substring(0, name.length() - TEMPORARY.length()) : name;
	}

	MigrationPlan plan() {
		this.wanted.exchanges().forEach(this::exchange);
		this.wanted.queues().forEach(this::queue);
		findLeftovers();
		endDoubleRoutes();
		this.wanted.bindings()
			.stream()
			.filter((binding) -> !this.replacements.replaces(binding.destination()))
			.map(Route::of)
			.filter((route) -> formerRoutes(route).isEmpty())
			.forEach(this::bind);
		endOtherExits();
		new RetryQueueReplacement(this.draft, this.replacements, this.known).plan();
		new StoreReplacement(this.draft, this.replacements).plan();
		removeTemporaries();
		new LeftoverExchanges(this.draft, this.types, this.wanted, this.known).remove();
		new UnavailableQueues(this.draft, this.live, this::isOurs, this::isOurExchange).refuse();
		return this.draft.plan();
	}

	private void exchange(ExchangeModel model) {
		SeenExchange there = this.live.exchanges().get(model.name());
		if (there == null) {
			this.draft.createExchange(model);
		}
		else if (!there.lasting() || !there.type().equals(model.type())
				|| !there.arguments().equals(SeenQueue.comparable(model.arguments()))) {
			String what = "exchange '%s'".formatted(model.name());
			String why = "it is %s %s, not %s %s, and an exchange is not replaced while messages go through it. Nothing is bound to it either"
				.formatted(there.type(), there.arguments(), model.type(), model.arguments());
			this.replacements.notBoundTo(model.name());
			if (isOurs(model)) {
				why += ". Nothing is applied before it is deleted, or another name configured";
				this.draft.obstacle("%s is in the way: %s.".formatted(what, why));
			}
			this.draft.leaveAlone(what, why);
		}
	}

	/** Not the one that producers publish to. */
	private boolean isOurs(ExchangeModel exchange) {
		return DelayLadder.hasExchange(exchange.name()) || this.types.stream()
			.map(MigratedType::wanted)
			.anyMatch((topology) -> exchange.name().equals(topology.ringExchange())
					|| exchange.name().equals(topology.deadLetterExchange()));
	}

	private void queue(QueueModel model) {
		SeenQueue there = this.live.queues().get(model.name());
		String what = "queue '%s'".formatted(model.name());
		if (model.existing()) {
			if (there == null) {
				this.draft.leaveAlone(what, "it does not exist, and with work-queue existing its owner declares it");
			}
			return;
		}
		SeenQueue temporary = this.live.queues().get(model.name() + TEMPORARY);
		boolean same = there != null && there.lasting()
				&& there.arguments().equals(SeenQueue.comparable(model.declaredArguments()));
		if (temporary != null && !isTemporary(model, temporary)) {
			this.draft.leaveAlone("queue '%s'".formatted(temporary.name()),
					"it has the name of a temporary queue, and arguments that no temporary queue has");
		}
		else if (temporary != null && unmovable(temporary) || there != null && !same && unmovable(there)) {
			// and it was said why
			return;
		}
		else if (temporary != null || (there != null && !same && mayReplace(there))) {
			this.replacements.replace(model);
		}
		else if (there == null) {
			this.draft.createQueue(model.name(), model.declaredArguments());
		}
		else if (!same) {
			this.draft.leaveAlone(what,
					"its arguments are not ours: %s. %s".formatted(
							SeenQueue.difference(there.arguments(), SeenQueue.comparable(model.declaredArguments())),
							advice(model, there)));
		}
	}

	private boolean unmovable(SeenQueue queue) {
		String why = KeptQueues.unmovable(this.draft, queue);
		if (why != null) {
			this.draft.leaveAlone("queue '%s'".formatted(queue.name()), why);
		}
		return why != null;
	}

	private static String advice(QueueModel model, SeenQueue there) {
		String replace = "To replace it all the same: --replace " + model.name();
		return there.minimal() ? "If topology.arguments was minimal, give that configuration with --from. " + replace
				: replace;
	}

	private boolean mayReplace(SeenQueue queue) {
		KnownQueue ours = this.known.get(queue.name());
		return ours != null && (ours.declaredByUs(queue) || this.replaceable.contains(queue.name()));
	}

	private boolean isTemporary(QueueModel model, SeenQueue temporary) {
		KnownQueue ours = this.known.get(model.name());
		return ours != null && ours.declaredByUs(temporary);
	}

	private void bind(Route route) {
		boolean there = route.leadsToQueue() ? this.draft.hasQueue(route.destination())
				: this.draft.hasExchange(route.destination());
		if (there && this.draft.hasExchange(route.exchange()) && !this.replacements.leavesUnbound(route.exchange())) {
			this.draft.unreadableAt(route.exchange())
				.stream()
				.filter((unreadable) -> unreadable.destination().equals(route.destination()))
				.forEach((unreadable) -> this.draft.leaveAlone("binding " + route,
						"whether it is there can't be known, and it is made in any case: " + unreadable.description()));
			this.draft.bind(route);
		}
	}

	/** The same way to the work queue that this one has the place of. */
	private List<Route> formerRoutes(Route route) {
		return this.replacements.leftovers(QueueRole.WORK)
			.entrySet()
			.stream()
			.filter((leftover) -> route.leadsToQueue() && route.destination().equals(leftover.getValue().successor()))
			.map((leftover) -> route.to(leftover.getKey()))
			.filter((former) -> !this.draft.routes(former::equals).isEmpty())
			.toList();
	}

	/** Where both queues are bound, each message would be there twice until the end. */
	private void endDoubleRoutes() {
		this.wanted.bindings()
			.stream()
			.map(Route::of)
			.filter((route) -> !this.draft.routes(route::equals).isEmpty())
			.flatMap((route) -> formerRoutes(route).stream())
			.toList()
			.forEach(this.draft::unbind);
	}

	/**
	 * What led past a leftover retry queue stays, and would double each message once that
	 * delay is configured again.
	 */
	private void endOtherExits() {
		for (Route route : this.wanted.bindings().stream().map(Route::of).toList()) {
			if (route.exchange().equals(DelayLadder.EXIT) && !this.draft.routes(route::equals).isEmpty()) {
				this.draft
					.routes((other) -> other.exchange().equals(DelayLadder.EXIT) && other.key().equals(route.key())
							&& !other.equals(route) && isOurs(other.destination()))
					.forEach(this.draft::unbind);
			}
		}
	}

	private boolean isOurs(String queue) {
		return this.known.get(withoutSuffix(queue)) != null || this.wantedQueues.containsKey(queue);
	}

	private void findLeftovers() {
		for (SeenQueue queue : this.live.queues().values()) {
			String name = withoutSuffix(queue.name());
			KnownQueue ours = this.known.get(name);
			boolean used = this.wantedQueues.containsKey(name) || this.wantedQueues.containsKey(queue.name());
			if (ours == null || used) {
				continue;
			}
			String what = "queue '%s'".formatted(queue.name());
			String reason = this.keeps.reason(queue, ours);
			if (reason == null) {
				this.replacements.remove(queue.name(), ours);
			}
			else {
				this.draft.leaveAlone(what, reason);
			}
		}
	}

	private boolean isOurExchange(String name) {
		return this.known.exchanges(this.types).containsKey(name)
				|| this.wanted.exchanges().stream().anyMatch((exchange) -> exchange.name().equals(name));
	}

	private void removeTemporaries() {
		this.draft.drain(List.copyOf(this.replacements.temporaries().keySet()));
		this.replacements.temporaries().forEach(this.draft::deleteQueue);
	}

}
