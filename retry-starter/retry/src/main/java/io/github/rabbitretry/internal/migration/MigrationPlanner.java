/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.migration;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import io.github.rabbitretry.internal.topology.DelayLadder;
import io.github.rabbitretry.internal.topology.ExchangeModel;
import io.github.rabbitretry.internal.topology.MessageTopology;
import io.github.rabbitretry.internal.topology.QueueModel;
import io.github.rabbitretry.internal.topology.QueueRole;
import io.github.rabbitretry.internal.topology.TopologyParts;
import org.jspecify.annotations.Nullable;

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

	/** What is returned from there is published again by the service. */
	private static final Predicate<Route> RETRIED = (route) -> !DelayLadder.hasExchange(route.exchange());

	private static final Predicate<Route> NOT_RETRIED = (route) -> false;

	private static final Set<QueueRole> CONSUMED = EnumSet.of(QueueRole.WORK, QueueRole.QUARANTINE,
			QueueRole.DEAD_LETTER, QueueRole.PARKING_LOT);

	private final List<MigratedType> types;

	private final LiveTopology live;

	private final Set<String> replaceable;

	private final TopologyParts wanted;

	private final Map<String, QueueModel> wantedQueues = new LinkedHashMap<>();

	private final KnownQueues known;

	private final Draft draft;

	private final KeptQueues keeps;

	/** Queues to be replaced, and those of which a replacement has not ended. */
	private final List<QueueModel> pending = new ArrayList<>();

	private final Map<String, KnownQueue> leftovers = new LinkedHashMap<>();

	/** Temporary queues, and where their messages belong, or {@code null}. */
	private final Map<String, @Nullable String> temporaries = new LinkedHashMap<>();

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
			.filter((binding) -> this.pending.stream().noneMatch((queue) -> queue.name().equals(binding.destination())))
			.map(Route::of)
			.filter((route) -> formerRoutes(route).isEmpty())
			.forEach(this::bind);
		endOtherExits();
		replaceRetryQueues();
		replaceStores();
		removeTemporaries();
		new LeftoverExchanges(this.draft, this.types, this.wanted, this.known).remove();
		return this.draft.plan();
	}

	private void exchange(ExchangeModel model) {
		SeenExchange there = this.live.exchanges().get(model.name());
		if (there == null) {
			this.draft.createExchange(model);
		}
		else if (!there.lasting() || !there.type().equals(model.type())
				|| !there.arguments().equals(SeenQueue.comparable(model.arguments()))) {
			this.draft.leaveAlone("exchange '%s'".formatted(model.name()),
					"it is %s %s, not %s %s, and an exchange is not replaced while messages go through it"
						.formatted(there.type(), there.arguments(), model.type(), model.arguments()));
		}
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
		else if (there != null && !same && KeptQueues.unmovable(this.draft, there) != null) {
			this.draft.leaveAlone(what, String.valueOf(KeptQueues.unmovable(this.draft, there)));
		}
		else if (temporary != null || (there != null && !same && mayReplace(there))) {
			this.pending.add(model);
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
		if (there && this.draft.hasExchange(route.exchange())) {
			this.draft.bind(route);
		}
	}

	/** The same way to the work queue that this one has the place of. */
	private List<Route> formerRoutes(Route route) {
		return this.leftovers.entrySet()
			.stream()
			.filter((leftover) -> leftover.getValue().role() == QueueRole.WORK)
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
				this.leftovers.put(queue.name(), ours);
			}
			else {
				this.draft.leaveAlone(what, reason);
			}
		}
	}

	private void replaceRetryQueues() {
		List<QueueModel> replaced = this.pending.stream().filter((queue) -> queue.role() == QueueRole.RETRY).toList();
		List<String> drained = new ArrayList<>();
		for (QueueModel queue : replaced) {
			String temporary = queue.name() + TEMPORARY;
			if (isReplaced(queue)) {
				this.draft.createQueue(temporary, queue.arguments());
				this.draft.switchRoutes(queue.name(), temporary, RETRIED);
				wantedRoutes(queue).forEach((route) -> this.draft.bind(route.to(temporary)));
				drained.add(queue.name());
			}
			this.temporaries.put(temporary, null);
		}
		leftovers(QueueRole.RETRY).forEach((name, ours) -> {
			leadBack(name, ours);
			leadPast(name, ours);
			drained.add(name);
		});
		this.draft.drain(drained);
		// those in an earlier ladder
		drained.forEach((name) -> this.draft.routesTo(name).forEach(this.draft::unbind));
		drained.forEach((name) -> this.draft.deleteQueue(name, null));
		for (QueueModel queue : replaced) {
			this.draft.createQueue(queue.name(), queue.declaredArguments());
			this.draft.switchRoutes(queue.name() + TEMPORARY, queue.name(), RETRIED);
			wantedRoutes(queue).forEach(this.draft::bind);
		}
	}

	/** What a retry queue has expires into a binding, which may have been removed. */
	private void leadBack(String name, KnownQueue ours) {
		Map<String, Object> arguments = this.draft.arguments(name);
		if (arguments.get("x-dead-letter-exchange") instanceof String exchange && !exchange.isEmpty()
				&& arguments.get("x-dead-letter-routing-key") instanceof String key
				&& this.draft.routes((route) -> route.exchange().equals(exchange) && route.key().equals(key)).isEmpty()
				&& this.draft.hasQueue(ours.type().wanted().queue())) {
			this.draft.bind(Route.toQueue(exchange, key, ours.type().wanted().queue()));
		}
	}

	/**
	 * Nothing comes into a leftover retry queue any more. What is on its way there on the
	 * ladder, for some of its delay, comes back without the rest, and waits that then. On
	 * an earlier ladder messages go on down.
	 */
	private void leadPast(String name, KnownQueue ours) {
		for (Route route : this.draft.routesTo(name)) {
			boolean entry = this.known.ladders()
				.stream()
				.anyMatch((ladder) -> ladder.prefix().equals(route.exchange()));
			boolean below = !entry && this.known.ladders()
				.stream()
				.anyMatch((ladder) -> ladder.exchanges().contains(route.exchange()));
			if (route.exchange().equals(DelayLadder.EXIT)) {
				this.draft.bind(route.to(endOfLadder(ours.type().wanted())));
			}
			if (!below) {
				this.draft.unbind(route);
			}
		}
	}

	private String endOfLadder(MessageTopology topology) {
		String returning = TopologyBasis.of(topology).retryPrefix() + "return";
		return this.wantedQueues.containsKey(returning) ? returning : topology.queue();
	}

	private void replaceStores() {
		List<QueueModel> replaced = this.pending.stream().filter((queue) -> queue.role() != QueueRole.RETRY).toList();
		Map<String, String> emptied = new LinkedHashMap<>();
		this.draft.paused(!replaced.isEmpty()
				|| this.leftovers.values().stream().anyMatch((ours) -> CONSUMED.contains(ours.role())));
		for (QueueModel queue : replaced) {
			if (isReplaced(queue)) {
				String temporary = queue.name() + TEMPORARY;
				this.draft.createQueue(temporary, temporaryArguments(queue));
				leadDeadLetters(queue, temporary);
			}
		}
		for (QueueModel queue : replaced) {
			if (isReplaced(queue)) {
				empty(queue.name(), queue.name() + TEMPORARY, emptied);
			}
		}
		this.leftovers.forEach((name, ours) -> {
			String successor = ours.successor();
			if (ours.role() != QueueRole.RETRY && successor != null) {
				String into = this.draft.hasQueue(successor + TEMPORARY) ? successor + TEMPORARY : successor;
				if (this.draft.hasQueue(into)) {
					empty(name, into, emptied);
				}
				else {
					this.draft.leaveAlone("queue '%s'".formatted(name),
							"its messages belong into queue '%s', which is not there".formatted(successor));
				}
			}
		});
		this.draft.drain(List.copyOf(emptied.keySet()));
		emptied.forEach(this.draft::deleteQueue);
		for (QueueModel queue : replaced) {
			String temporary = queue.name() + TEMPORARY;
			this.draft.createQueue(queue.name(), queue.declaredArguments());
			this.draft.move(temporary, queue.name());
			this.draft.switchRoutes(temporary, queue.name(), NOT_RETRIED);
			wantedRoutes(queue).forEach(this.draft::bind);
			this.draft.moveRest(temporary, queue.name());
			this.temporaries.put(temporary, queue.name());
		}
		this.draft.paused(false);
	}

	/**
	 * What expires in another temporary queue goes to the configured exchange, which may
	 * be new. Not where messages come already: they would be there twice.
	 */
	private void leadDeadLetters(QueueModel queue, String temporary) {
		if (queue.role() == QueueRole.DEAD_LETTER) {
			wantedRoutes(queue).stream()
				.filter((route) -> this.draft
					.routes((one) -> one.exchange().equals(route.exchange()) && one.key().equals(route.key()))
					.isEmpty())
				.forEach((route) -> this.draft.bind(route.to(temporary)));
		}
	}

	/**
	 * What comes meanwhile comes after what was there: most is moved before the switch.
	 */
	private void empty(String from, String into, Map<String, String> emptied) {
		this.draft.move(from, into);
		this.draft.switchRoutes(from, into, NOT_RETRIED);
		this.draft.moveRest(from, into);
		emptied.put(from, into);
	}

	private void removeTemporaries() {
		this.draft.drain(List.copyOf(this.temporaries.keySet()));
		this.temporaries.forEach(this.draft::deleteQueue);
	}

	/** Whether a queue is there and not as it must be. */
	private boolean isReplaced(QueueModel model) {
		SeenQueue there = this.live.queues().get(model.name());
		return there != null
				&& (!there.lasting() || !there.arguments().equals(SeenQueue.comparable(model.declaredArguments())));
	}

	/**
	 * As the queue itself, so that what expires is dead-lettered. But what is delivered
	 * to a migration that is killed, time and again, stays, and everybody may consume.
	 */
	private static Map<String, Object> temporaryArguments(QueueModel queue) {
		Map<String, Object> arguments = new TreeMap<>(queue.arguments());
		arguments.computeIfPresent("x-delivery-limit", (name, limit) -> -1);
		arguments.remove("x-single-active-consumer");
		return arguments;
	}

	private List<Route> wantedRoutes(QueueModel queue) {
		return this.wanted.bindings().stream().map(Route::of).filter((route) -> route.leadsTo(queue.name())).toList();
	}

	private Map<String, KnownQueue> leftovers(QueueRole role) {
		return this.leftovers.entrySet()
			.stream()
			.filter((entry) -> entry.getValue().role() == role)
			.collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue, (one, other) -> one, LinkedHashMap::new));
	}

}
