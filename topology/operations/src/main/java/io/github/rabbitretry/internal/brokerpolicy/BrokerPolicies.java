/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.brokerpolicy;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Stream;

import io.github.rabbitretry.internal.topology.QueueType;
import org.jspecify.annotations.Nullable;

/**
 * All policies of a virtual host.
 *
 * @param policies user policies and operator policies
 * @param unreadable those with a pattern that RabbitMQ understands and Java does not, so
 * that it is not known which names they match
 */
public record BrokerPolicies(List<BrokerPolicy> policies, List<BrokerPolicy> unreadable) {

	public BrokerPolicies {
		policies = List.copyOf(policies);
		unreadable = List.copyOf(unreadable);
	}

	/**
	 * Creates it of policies with patterns that can be read.
	 * @param policies user policies and operator policies
	 */
	public BrokerPolicies(List<BrokerPolicy> policies) {
		this(policies, List.of());
	}

	/**
	 * The policies that are in effect for a queue: one of the users' and one of the
	 * operators'. Of several with the same priority the broker chooses any, so all of
	 * them are given.
	 * @param queue the queue's name
	 * @param type the queue's type
	 * @return the policies, mostly none or one
	 */
	public List<BrokerPolicy> ofQueue(String queue, QueueType type) {
		return inEffect((policy) -> policy.appliesToQueue(queue, type));
	}

	/**
	 * The same for an exchange.
	 * @param exchange the exchange's name
	 * @return the policies, mostly none or one
	 */
	public List<BrokerPolicy> ofExchange(String exchange) {
		return inEffect((policy) -> policy.appliesToExchange(exchange));
	}

	/**
	 * What policies set for an exchange.
	 * @param exchange the exchange's name
	 * @param key the key
	 * @return its value, or {@code null} if no policy in effect has it
	 */
	public @Nullable Object ofExchange(String exchange, String key) {
		return value(ofExchange(exchange), key);
	}

	private static @Nullable Object value(List<BrokerPolicy> policies, String key) {
		return policies.stream()
			.map((policy) -> policy.definition().get(key))
			.filter(Objects::nonNull)
			.findFirst()
			.orElse(null);
	}

	/**
	 * What is in effect for a key of a queue, that of the declaration or else of a
	 * policy.
	 * @param key a key of policies
	 * @param queue the queue's name
	 * @param type the queue's type
	 * @param arguments the arguments of the queue's declaration
	 * @return its value, or {@code null} if neither has it
	 */
	public @Nullable Object effective(String key, String queue, QueueType type,
			Map<String, ? extends @Nullable Object> arguments) {
		Object argument = arguments.get("x-" + key);
		return (argument != null) ? argument : value(ofQueue(queue, type), key);
	}

	/**
	 * Finds a name for a new policy, so that none is overwritten.
	 * @param base what it begins with
	 * @param taken other names that it must not be
	 * @return the name
	 */
	public String freeName(String base, Collection<String> taken) {
		String name = base;
		for (int number = 2; has(name) || taken.contains(name); number++) {
			name = base + "-" + number;
		}
		return name;
	}

	private boolean has(String name) {
		return Stream.concat(this.policies.stream(), this.unreadable.stream())
			.anyMatch((policy) -> policy.name().equals(name));
	}

	private List<BrokerPolicy> inEffect(Predicate<BrokerPolicy> applies) {
		List<BrokerPolicy> matching = this.policies.stream().filter(applies).toList();
		return Stream.of(false, true).flatMap((operator) -> highest(matching, operator)).toList();
	}

	private static Stream<BrokerPolicy> highest(List<BrokerPolicy> policies, boolean operator) {
		List<BrokerPolicy> some = policies.stream().filter((policy) -> policy.operator() == operator).toList();
		long priority = some.stream().mapToLong(BrokerPolicy::priority).max().orElse(0);
		return some.stream().filter((policy) -> policy.priority() == priority);
	}

}
