/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.migration;

import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

import io.github.rabbitretry.internal.topology.QueueModel;
import io.github.rabbitretry.internal.topology.QueueRole;

/**
 * Plans how all other queues are replaced and removed: their messages are moved.
 */
final class StoreReplacement {

	private static final String TEMPORARY = MigrationPlan.TEMPORARY;

	private static final Predicate<Route> NOT_RETRIED = (route) -> false;

	private static final Set<QueueRole> CONSUMED = EnumSet.of(QueueRole.WORK, QueueRole.QUARANTINE,
			QueueRole.DEAD_LETTER, QueueRole.PARKING_LOT);

	private final Draft draft;

	private final Replacements replacements;

	StoreReplacement(Draft draft, Replacements replacements) {
		this.draft = draft;
		this.replacements = replacements;
	}

	void plan() {
		List<QueueModel> replaced = this.replacements.queues((role) -> role != QueueRole.RETRY);
		Map<String, String> emptied = new LinkedHashMap<>();
		this.draft.paused(!replaced.isEmpty()
				|| this.replacements.leftovers().values().stream().anyMatch((ours) -> CONSUMED.contains(ours.role())));
		for (QueueModel queue : replaced) {
			if (this.replacements.isReplaced(queue)) {
				String temporary = queue.name() + TEMPORARY;
				this.draft.createQueue(temporary, temporaryArguments(queue));
				leadDeadLetters(queue, temporary);
			}
		}
		for (QueueModel queue : replaced) {
			if (this.replacements.isReplaced(queue)) {
				empty(queue.name(), queue.name() + TEMPORARY, emptied);
			}
		}
		this.replacements.leftovers().forEach((name, ours) -> {
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
			this.replacements.wantedRoutes(queue).forEach(this.draft::bind);
			this.draft.moveRest(temporary, queue.name());
			this.replacements.temporary(temporary, queue.name());
		}
		this.draft.paused(false);
	}

	/**
	 * What expires in another temporary queue goes to the configured exchange, which may
	 * be new. Not where messages come already: they would be there twice.
	 */
	private void leadDeadLetters(QueueModel queue, String temporary) {
		if (queue.role() == QueueRole.DEAD_LETTER) {
			this.replacements.wantedRoutes(queue)
				.stream()
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

}
