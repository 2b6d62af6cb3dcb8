/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.brokerpolicy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.rabbitretry.internal.management.NamePattern;
import io.github.rabbitretry.internal.management.Rabbitmqctl;

/**
 * The commands that protect queues from policies. Only one user policy and one operator
 * policy is in effect for a queue, so each unsafe policy is displaced, for our queues
 * alone, by one with a higher priority and the same keys but those that lose messages.
 */
final class BrokerPolicyRemedy {

	private static final String PREFIX = "rabbit-retry-";

	private final BrokerPolicies policies;

	private final String virtualHost;

	/** What one policy is displaced by has the same name in all answers. */
	private final Map<List<Object>, String> names = new HashMap<>();

	BrokerPolicyRemedy(BrokerPolicies policies, String virtualHost) {
		this.policies = policies;
		this.virtualHost = virtualHost;
	}

	/**
	 * The commands that undo what policies do.
	 * @param findings what policies do
	 * @return lines for a shell
	 */
	List<String> commands(List<BrokerPolicyFinding> findings) {
		Map<Target, List<BrokerPolicyFinding>> targets = new LinkedHashMap<>();
		findings.forEach((finding) -> targets
			.computeIfAbsent(new Target(finding.policy(), finding.queue()), (target) -> new ArrayList<>())
			.add(finding));
		return targets.entrySet()
			.stream()
			.flatMap((target) -> commands(target.getKey(), target.getValue()).stream())
			.toList();
	}

	private List<String> commands(Target target, List<BrokerPolicyFinding> findings) {
		Map<String, Object> definition = new LinkedHashMap<>(target.policy().definition());
		findings.forEach((finding) -> definition.remove(finding.key()));
		definition.put("overflow", "reject-publish");
		List<String> names = findings.stream().map(BrokerPolicyFinding::subject).distinct().toList();
		List<String> commands = new ArrayList<>();
		for (List<String> part : NamePattern.parts(names)) {
			commands.add(command(target, part, definition, this.names.computeIfAbsent(List.of(target, commands.size()),
					(unnamed) -> free(target.policy().name()))));
		}
		return commands;
	}

	private String command(Target target, List<String> names, Map<String, Object> definition, String name) {
		BrokerPolicy policy = target.policy();
		String applyTo = !target.queue() ? "exchanges" : policy.applyTo().equals("all") ? "queues" : policy.applyTo();
		return Rabbitmqctl.setPolicy(policy.operator(), this.virtualHost, policy.priority() + 1, applyTo, name,
				NamePattern.of(names), definition);
	}

	private String free(String displaced) {
		return this.policies.freeName(displaced.startsWith(PREFIX) ? displaced : PREFIX + displaced,
				this.names.values());
	}

	/** What one command displaces. */
	private record Target(BrokerPolicy policy, boolean queue) {
	}

}
