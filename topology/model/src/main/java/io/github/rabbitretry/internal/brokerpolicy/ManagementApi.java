/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.brokerpolicy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.PatternSyntaxException;

import io.github.rabbitretry.internal.management.ManagementClient;
import io.github.rabbitretry.internal.management.ManagementUnavailableException;
import io.github.rabbitretry.internal.management.NameRegex;
import io.github.rabbitretry.internal.management.QueueLists;
import org.jspecify.annotations.Nullable;

/**
 * Asks the management API for the policies of a virtual host. The lists of policies say
 * more than the queues' own descriptions: those lag behind by seconds, are missing for
 * queues that are not declared yet, and are long where there are thousands of queues. Any
 * user with the tag {@code management} and access to the virtual host may read them.
 */
public final class ManagementApi {

	private final ManagementClient client;

	public ManagementApi(ManagementClient client) {
		this.client = client;
	}

	/**
	 * Asks for all policies.
	 * @return user policies and operator policies
	 * @throws ManagementUnavailableException if they can't be found out
	 */
	public BrokerPolicies policies() {
		List<BrokerPolicy> policies = new ArrayList<>();
		List<BrokerPolicy> unreadable = new ArrayList<>();
		for (boolean operator : new boolean[] { false, true }) {
			for (Map<?, ?> policy : policies(operator)) {
				try {
					policies.add(policy(policy, operator, NameRegex.of(String.valueOf(policy.get("pattern")))));
				}
				catch (PatternSyntaxException ex) {
					unreadable.add(policy(policy, operator, NameRegex.of("")));
				}
			}
		}
		return new BrokerPolicies(policies, unreadable);
	}

	/**
	 * Asks for a queue.
	 * @param name its name
	 * @return what it was declared with
	 * @throws ManagementUnavailableException if that can't be found out
	 */
	public Optional<QueueDescription> findQueue(String name) {
		return this.client.find("queues", name, "?" + QueueLists.TOTALS).map((answer) -> {
			if (!(answer instanceof Map<?, ?> queue) || !(queue.get("arguments") instanceof Map<?, ?> given)) {
				throw new ManagementUnavailableException("queue '%s': a queue expected".formatted(name));
			}
			Map<String, @Nullable Object> arguments = new LinkedHashMap<>();
			given.forEach((key, value) -> arguments.put(String.valueOf(key), value));
			boolean lasting = Boolean.TRUE.equals(queue.get("durable"))
					&& !Boolean.TRUE.equals(queue.get("auto_delete")) && !Boolean.TRUE.equals(queue.get("exclusive"))
					&& !arguments.containsKey("x-expires");
			return new QueueDescription(String.valueOf(queue.get("type")), lasting, arguments);
		});
	}

	/**
	 * Asks for an exchange.
	 * @param name its name
	 * @return whether there is one
	 * @throws ManagementUnavailableException if that can't be found out
	 */
	public boolean hasExchange(String name) {
		return this.client.find("exchanges", name, "?columns=name").isPresent();
	}

	private List<Map<?, ?>> policies(boolean operator) {
		String kind = operator ? "operator-policies" : "policies";
		if (!(this.client.list(kind) instanceof List<?> entries)) {
			throw new ManagementUnavailableException("%s: a list expected".formatted(kind));
		}
		List<Map<?, ?>> policies = new ArrayList<>();
		for (Object entry : entries) {
			if (entry instanceof Map<?, ?> policy && policy.get("definition") instanceof Map<?, ?>
					&& policy.get("pattern") instanceof String) {
				policies.add(policy);
			}
		}
		return policies;
	}

	private static BrokerPolicy policy(Map<?, ?> policy, boolean operator, NameRegex pattern) {
		Map<String, Object> keys = new LinkedHashMap<>();
		if (policy.get("definition") instanceof Map<?, ?> definition) {
			definition.forEach((key, value) -> {
				if (value != null) {
					keys.put(String.valueOf(key), value);
				}
			});
		}
		long priority = (policy.get("priority") instanceof Number number) ? number.longValue() : 0;
		return new BrokerPolicy(String.valueOf(policy.get("name")), operator, pattern,
				String.valueOf(policy.get("apply-to")), priority, keys);
	}

}
