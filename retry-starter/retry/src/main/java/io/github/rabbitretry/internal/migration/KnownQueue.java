/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.migration;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.github.rabbitretry.internal.topology.QueueRole;
import org.jspecify.annotations.Nullable;

/**
 * A queue that this or an earlier configuration, or an earlier build, has.
 */
final class KnownQueue {

	/** Numbers that a configuration sets, and what ordering adds. */
	private static final List<String> CONFIGURED = List.of("x-delivery-limit", "x-single-active-consumer");

	private final QueueRole role;

	private final MigratedType type;

	private final @Nullable String successor;

	private final List<Map<String, Object>> shapes = new ArrayList<>();

	KnownQueue(QueueRole role, MigratedType type, @Nullable String successor) {
		this.role = role;
		this.type = type;
		this.successor = successor;
	}

	QueueRole role() {
		return this.role;
	}

	MigratedType type() {
		return this.type;
	}

	/** Where its messages belong, or {@code null} if they leave by themselves. */
	@Nullable String successor() {
		return this.successor;
	}

	void shape(Map<String, Object> arguments) {
		this.shapes.add(unconfigured(arguments));
	}

	/**
	 * Whether a queue has the arguments that ours have: a name alone may be anybody's.
	 */
	boolean declaredByUs(SeenQueue queue) {
		return queue.lasting() && this.shapes.contains(unconfigured(queue.arguments()));
	}

	/** Which of our arguments it has not. */
	String difference(SeenQueue queue) {
		return queue.lasting() ? SeenQueue.difference(unconfigured(queue.arguments()), this.shapes.get(0))
				: "it is not durable, or is deleted by itself";
	}

	private static Map<String, Object> unconfigured(Map<String, Object> arguments) {
		Map<String, Object> rest = new TreeMap<>(SeenQueue.comparable(arguments));
		CONFIGURED.forEach(rest::remove);
		return rest;
	}

}
