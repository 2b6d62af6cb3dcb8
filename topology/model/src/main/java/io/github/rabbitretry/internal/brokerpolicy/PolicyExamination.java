/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.brokerpolicy;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

import io.github.rabbitretry.internal.topology.InvalidConfigurationException;
import io.github.rabbitretry.internal.topology.MessageTopology;

/**
 * All that is known about policies, for one look at a virtual host.
 */
public final class PolicyExamination {

	private final BrokerPolicyEvaluation check;

	private final ExistingQueueTimeouts timeouts;

	/**
	 * Creates the examination.
	 * @param topologies whose queues and exchanges
	 */
	public PolicyExamination(Collection<MessageTopology> topologies) {
		this.check = new BrokerPolicyEvaluation(topologies);
		this.timeouts = new ExistingQueueTimeouts(topologies);
	}

	/**
	 * Judges the policies in effect.
	 * @param policies the virtual host's policies
	 * @param virtualHost its name
	 * @param troublesome which keys are to be displaced with those that are unsafe
	 * @return one entry for all queues for which a key of a policy does the same
	 */
	public List<PolicyEffect> effects(BrokerPolicies policies, String virtualHost, Predicate<String> troublesome) {
		List<BrokerPolicyFinding> findings = this.check.run(policies);
		BrokerPolicyRemedy remedy = new BrokerPolicyRemedy(policies, virtualHost);
		Map<Object, List<BrokerPolicyFinding>> alike = new LinkedHashMap<>();
		findings.forEach((finding) -> alike
			.computeIfAbsent(List.of(finding.policy(), finding.key(), finding.value(), finding.queue(),
					finding.consequence(), finding.unsafe()), (effect) -> new ArrayList<>())
			.add(finding));
		return alike.values().stream().map((some) -> effect(some, findings, troublesome, remedy)).toList();
	}

	/**
	 * A policy is displaced at once for all that it does, since one command would undo
	 * another. But what is only good to know stays, unless it is itself what the command
	 * is for.
	 */
	private static PolicyEffect effect(List<BrokerPolicyFinding> alike, List<BrokerPolicyFinding> all,
			Predicate<String> troublesome, BrokerPolicyRemedy remedy) {
		BrokerPolicyFinding first = alike.get(0);
		Predicate<BrokerPolicyFinding> bad = (finding) -> finding.unsafe() || troublesome.test(finding.key());
		List<BrokerPolicyFinding> displaced = all.stream()
			.filter((finding) -> finding.policy().equals(first.policy()) && (bad.test(finding) || !bad.test(first)))
			.toList();
		return new PolicyEffect(first.unsafe(), first.policy().description(), first.key(), first.value(), first.queue(),
				alike.stream().map(BrokerPolicyFinding::subject).toList(), first.consequence(),
				remedy.commands(displaced));
	}

	/**
	 * Compares what handlers may take with the consumer timeouts of existing queues.
	 * @param policies the virtual host's policies
	 * @param queues describes a queue by its name
	 * @return what is wrong
	 */
	public List<InvalidConfigurationException> timeoutsTooShort(BrokerPolicies policies,
			Function<String, Optional<QueueDescription>> queues) {
		return this.timeouts.tooShort(policies, queues);
	}

}
