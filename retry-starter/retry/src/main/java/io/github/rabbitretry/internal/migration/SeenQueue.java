/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.migration;

import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

/**
 * A queue as it is on the broker.
 *
 * @param name its name
 * @param durable whether it outlives the broker
 * @param shortLived whether it is auto-delete or exclusive
 * @param available whether it answers: the node that it is on may be down
 * @param arguments what it was declared with
 */
record SeenQueue(String name, boolean durable, boolean shortLived, boolean available, Map<String, Object> arguments) {

	SeenQueue {
		arguments = comparable(arguments);
	}

	/**
	 * Arguments that equal those of a model: the management API makes each number a long.
	 * @param arguments the arguments
	 * @return a sorted copy, without what is null
	 */
	static Map<String, Object> comparable(Map<String, ? extends @Nullable Object> arguments) {
		Map<String, Object> comparable = new TreeMap<>();
		arguments.forEach((name, value) -> {
			if (value != null) {
				comparable.put(name,
						(value instanceof Number number && !(value instanceof Double)) ? number.longValue() : value);
			}
		});
		return Collections.unmodifiableMap(comparable);
	}

	boolean lasting() {
		return this.durable && !this.shortLived;
	}

	/** Whether the broker deletes it, with its messages, once nobody consumes it. */
	boolean goesUnconsumed() {
		return this.shortLived || this.arguments.containsKey("x-expires");
	}

	/** Whether it has those arguments alone that no policy can give. */
	boolean minimal() {
		return Set.of("x-queue-type", "x-single-active-consumer").containsAll(this.arguments.keySet());
	}

	/** Names the first argument that differs, to be read by people. */
	static String difference(Map<String, Object> live, Map<String, Object> wanted) {
		Map<String, Object> names = new TreeMap<>(live);
		names.putAll(wanted);
		return names.keySet()
			.stream()
			.filter((name) -> !Objects.equals(live.get(name), wanted.get(name)))
			.findFirst()
			.map((name) -> "%s is %s and not %s".formatted(name, live.get(name), wanted.get(name)))
			.orElse("");
	}

}
