/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.plan;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import io.github.rabbitretry.internal.snapshot.QueueSnapshot;
import io.github.rabbitretry.internal.topology.BindingDefinition;

/**
 * What becomes of the queues on the broker.
 *
 * @param blocked wanted queues and exchanges whose names others have
 * @param replaced queues with other arguments than configured, and where their messages
 * stay meanwhile
 * @param moved queues of a former configuration, and those that have their place
 * @param draining retry queues of a former configuration, and the work queues that they
 * lead to
 * @param standIns queues that have, or get, a stand-in
 */
record QueueChanges(Set<String> blocked, Map<String, String> replaced, Map<String, String> moved,
		Map<String, String> draining, Set<String> standIns) {

	QueueChanges() {
		this(new HashSet<>(), new LinkedHashMap<>(), new LinkedHashMap<>(), new LinkedHashMap<>(),
				new LinkedHashSet<>());
	}

	static String standIn(String queue) {
		return queue + ".stand-in";
	}

	/** Whether a plan made the queue, for one that it was sure of. */
	static boolean isStandIn(QueueSnapshot queue) {
		return queue.arguments().get(PlanCommands.MARK) instanceof String of && queue.name().equals(standIn(of));
	}

	boolean allow(BindingDefinition binding) {
		return !this.blocked.contains(binding.exchange()) && !this.blocked.contains(binding.destination());
	}

	/** Queues that are deleted, and those whose holders get their messages. */
	Map<String, String> away() {
		Map<String, String> away = new LinkedHashMap<>();
		this.replaced.forEach((queue, into) -> away.put(queue, this.standIns.contains(queue) ? queue : into));
		away.putAll(this.moved);
		away.putAll(this.draining);
		return away;
	}

	/** Where a queue's messages are until the plan has been carried out. */
	String holder(String queue) {
		String into = this.replaced.getOrDefault(queue, queue);
		return (into.equals(queue) || this.standIns.contains(queue)) ? into : holder(into);
	}

	/**
	 * Those whose messages are moved into a queue, apart from one that was moved away.
	 */
	Set<String> movedInto(String into, String queue) {
		Set<String> from = new TreeSet<>();
		away().forEach((other, next) -> {
			if (!other.equals(queue) && !this.draining.containsKey(other) && holder(next).equals(into)) {
				from.add(other);
			}
		});
		if (into.equals(queue) && this.standIns.contains(queue)) {
			from.add(standIn(queue));
		}
		return from;
	}

	/** Queues that messages are moved into. */
	Set<String> targets() {
		Set<String> targets = new TreeSet<>(this.standIns);
		away().forEach((queue, into) -> {
			if (!this.draining.containsKey(queue) && !this.standIns.contains(queue)) {
				targets.add(holder(into));
			}
		});
		return targets;
	}

}
