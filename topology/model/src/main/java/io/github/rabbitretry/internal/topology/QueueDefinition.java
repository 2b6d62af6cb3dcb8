/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.topology;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * A durable queue to be declared, or one that has to exist.
 *
 * @param name the queue's name
 * @param role what it is for
 * @param arguments the arguments of its declaration, {@code x-queue-type} included; empty
 * if it is not declared
 * @param existing whether it is not declared but has to exist
 */
public record QueueDefinition(String name, QueueRole role, Map<String, Object> arguments, boolean existing) {

	public QueueDefinition {
		arguments = Collections.unmodifiableMap(new TreeMap<>(arguments));
	}

	/**
	 * Creates the model of a queue that is declared.
	 * @param name the queue's name
	 * @param role what it is for
	 * @param arguments the arguments of its declaration
	 */
	public QueueDefinition(String name, QueueRole role, Map<String, Object> arguments) {
		this(name, role, arguments, false);
	}

	/**
	 * The type that the queue is declared with.
	 * @return its type; that of an existing queue is not known
	 */
	public QueueType type() {
		return "classic".equals(this.arguments.get("x-queue-type")) ? QueueType.CLASSIC : QueueType.QUORUM;
	}

	static QueueDefinition existing(String name, QueueRole role) {
		return new QueueDefinition(name, role, Map.of(), true);
	}

}
