/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.migration;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

import io.github.rabbitretry.internal.topology.DelayLadder;
import io.github.rabbitretry.internal.topology.MessageTopology;
import io.github.rabbitretry.internal.topology.QueueModel;
import io.github.rabbitretry.internal.topology.QueueRole;

/**
 * Plans how retry queues are replaced and removed. They become empty by themselves.
 */
final class RetryQueueReplacement {

	private static final String TEMPORARY = MigrationPlan.TEMPORARY;

	/** What is returned from there is published again by the service. */
	private static final Predicate<Route> RETRIED = (route) -> !DelayLadder.hasExchange(route.exchange());

	private final Draft draft;

	private final Replacements replacements;

	private final KnownQueues known;

	RetryQueueReplacement(Draft draft, Replacements replacements, KnownQueues known) {
		this.draft = draft;
		this.replacements = replacements;
		this.known = known;
	}

	void plan() {
		List<QueueModel> replaced = this.replacements.queues((role) -> role == QueueRole.RETRY);
		List<String> drained = new ArrayList<>();
		for (QueueModel queue : replaced) {
			String temporary = queue.name() + TEMPORARY;
			if (this.replacements.isReplaced(queue)) {
				this.draft.createQueue(temporary, queue.arguments());
				this.draft.switchRoutes(queue.name(), temporary, RETRIED);
				this.replacements.wantedRoutes(queue).forEach((route) -> this.draft.bind(route.to(temporary)));
				drained.add(queue.name());
			}
			this.replacements.temporary(temporary, null);
		}
		this.replacements.leftovers(QueueRole.RETRY).forEach((name, ours) -> {
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
			this.replacements.wantedRoutes(queue).forEach(this.draft::bind);
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
		return this.replacements.wants(returning) ? returning : topology.queue();
	}

}
