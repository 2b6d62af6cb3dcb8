/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.brokerpolicy;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.rabbitretry.internal.management.NamePattern;
import io.github.rabbitretry.internal.management.Rabbitmqctl;

/**
 * The commands that protect queues from policies. Only one user policy and one operator
 * policy is in effect for a queue, so each unsafe policy is displaced, for our queues
 * alone, by one with a higher priority and the same keys but those that lose messages. A
 * queue with minimal arguments gets the policy that it needs instead.
 */
final class BrokerPolicyRemedy {

	private static final String PREFIX = "rabbit-retry-";

	private final BrokerPolicyRequirements requirements;

	private final BrokerPolicies policies;

	private final String virtualHost;

	/** What one policy is displaced by has the same name in all answers. */
	private final Map<List<Object>, String> names = new HashMap<>();

	BrokerPolicyRemedy(BrokerPolicyRequirements requirements, BrokerPolicies policies, String virtualHost) {
		this.requirements = requirements;
		this.policies = policies;
		this.virtualHost = virtualHost;
	}

	/**
	 * The commands that undo what policies do, and give queues what they lack.
	 * @param findings what policies do
	 * @param lacking names of queues to which no policy gives all that they need
	 * @return lines for a shell
	 */
	List<String> commands(List<BrokerPolicyFinding> findings, Collection<String> lacking) {
		Set<String> needing = new HashSet<>(lacking);
		Map<Target, List<BrokerPolicyFinding>> targets = new LinkedHashMap<>();
		for (BrokerPolicyFinding finding : findings) {
			if (finding.queue() && !finding.policy().operator() && this.requirements.on(finding.subject())) {
				// what displaces a policy there has to give what the queue needs
				needing.add(finding.subject());
			}
			else {
				targets.computeIfAbsent(new Target(finding.policy(), finding.queue()), (target) -> new ArrayList<>())
					.add(finding);
			}
		}
		List<String> commands = new ArrayList<>(this.requirements.commands(needing, this.policies, this.virtualHost));
		targets.forEach((target, some) -> commands.addAll(commands(target, some)));
		return commands;
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

	/** A name that no policy has, so that none is overwritten. */
	private String free(String displaced) {
		String base = displaced.startsWith(PREFIX) ? displaced : PREFIX + displaced;
		String name = base;
		for (int number = 2; this.policies.has(name) || this.names.containsValue(name); number++) {
			name = base + "-" + number;
		}
		return name;
	}

	/** What one command displaces. */
	private record Target(BrokerPolicy policy, boolean queue) {
	}

}
