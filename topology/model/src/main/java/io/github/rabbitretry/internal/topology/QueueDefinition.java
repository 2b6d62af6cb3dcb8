/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.topology;

import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A durable queue to be declared, or one that has to exist.
 *
 * @param name the queue's name
 * @param role what it is for
 * @param arguments what it has to be in effect, {@code x-queue-type} included, as the
 * arguments of a declaration; empty if it is not declared
 * @param existing whether it is not declared but has to exist
 * @param minimal whether it is declared only with what no policy can give
 */
public record QueueDefinition(String name, QueueRole role, Map<String, Object> arguments, boolean existing,
		boolean minimal) {

	/**
	 * RabbitMQ 4.0 to 4.3 have no policy keys for these; all others that we declare a
	 * policy can give, {@code delivery-limit: -1} included.
	 */
	private static final Set<String> NO_POLICY = Set.of("x-queue-type", "x-single-active-consumer");

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
		this(name, role, arguments, false, false);
	}

	/**
	 * The arguments that it is declared with.
	 * @return all, or those that no policy can give
	 */
	public Map<String, Object> declaredArguments() {
		return this.minimal ? split(false) : this.arguments;
	}

	/**
	 * What a policy would have to give the queue if its arguments don't.
	 * @return keys of policies and their values
	 */
	public Map<String, Object> policyDefinition() {
		return split(true);
	}

	private Map<String, Object> split(boolean policy) {
		Map<String, Object> some = new TreeMap<>();
		this.arguments.forEach((argument, value) -> {
			if (NO_POLICY.contains(argument) != policy) {
				some.put(policy ? argument.substring("x-".length()) : argument, value);
			}
		});
		return Collections.unmodifiableMap(some);
	}

	/**
	 * The type that the queue is declared with.
	 * @return its type; that of an existing queue is not known
	 */
	public QueueType type() {
		return "classic".equals(this.arguments.get("x-queue-type")) ? QueueType.CLASSIC : QueueType.QUORUM;
	}

	static QueueDefinition existing(String name, QueueRole role) {
		return new QueueDefinition(name, role, Map.of(), true, false);
	}

}
