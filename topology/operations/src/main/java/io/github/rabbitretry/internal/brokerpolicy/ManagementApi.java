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

import io.github.rabbitretry.internal.management.JsonRows;
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
			for (JsonRows policy : policies(operator)) {
				try {
					policies.add(policy(policy, operator, NameRegex.of(policy.text("pattern"))));
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
			JsonRows queue = JsonRows.ofObject(answer);
			if (!(queue.members().get("arguments") instanceof Map)) {
				throw new ManagementUnavailableException("queue '%s': a queue expected".formatted(name));
			}
			Map<String, @Nullable Object> arguments = queue.map("arguments");
			boolean lasting = queue.is("durable") && !queue.is("auto_delete") && !queue.is("exclusive")
					&& !arguments.containsKey("x-expires");
			return new QueueDescription(queue.text("type"), lasting, arguments);
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

	private List<JsonRows> policies(boolean operator) {
		return JsonRows.of(this.client.list(operator ? "operator-policies" : "policies"))
			.stream()
			.filter((policy) -> policy.members().get("definition") instanceof Map
					&& policy.members().get("pattern") instanceof String)
			.toList();
	}

	private static BrokerPolicy policy(JsonRows policy, boolean operator, NameRegex pattern) {
		Map<String, Object> keys = new LinkedHashMap<>();
		policy.map("definition").forEach((key, value) -> {
			if (value != null) {
				keys.put(key, value);
			}
		});
		return new BrokerPolicy(policy.text("name"), operator, pattern, policy.text("apply-to"),
				policy.number("priority"), keys);
	}

}
