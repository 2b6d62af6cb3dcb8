/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.brokerpolicy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;

import io.github.rabbitretry.internal.topology.InvalidConfigurationException;

/**
 * What policies do to our queues, in lines to be read, and the commands against it.
 *
 * @param findings everything worth knowing
 * @param commands the commands that protect the queues
 * @param tooSlow handlers that may take longer than the broker waits for them
 * @param unreadable policies of which it is not known what they match, in words
 */
record BrokerPolicyReport(List<BrokerPolicyFinding> findings, List<String> commands,
		List<InvalidConfigurationException> tooSlow, List<String> unreadable) {

	private static final int MOST_NAMES = 5;

	BrokerPolicyReport {
		findings = List.copyOf(findings);
		commands = List.copyOf(commands);
		tooSlow = List.copyOf(tooSlow);
		unreadable = List.copyOf(unreadable);
	}

	static BrokerPolicyReport of(BrokerPolicyEvaluation check, BrokerPolicies policies,
			List<InvalidConfigurationException> tooSlow, String virtualHost) {
		List<BrokerPolicyFinding> findings = check.run(policies);
		List<String> commands = new BrokerPolicyRemedy(policies, virtualHost)
			.commands(findings.stream().filter(BrokerPolicyFinding::unsafe).toList());
		return new BrokerPolicyReport(findings, commands, tooSlow,
				policies.unreadable().stream().map(BrokerPolicy::description).toList());
	}

	/**
	 * How much would lose messages.
	 * @return the number of keys, each counted for each queue
	 */
	long unsafeKeys() {
		return this.findings.stream().filter(BrokerPolicyFinding::unsafe).count();
	}

	/**
	 * The findings, one line for all queues for which a key of a policy does the same.
	 * @param unsafe whether those that lose messages, or those that are good to know
	 * @return the lines
	 */
	List<String> lines(boolean unsafe) {
		List<String> lines = new ArrayList<>();
		this.findings.stream()
			.filter((finding) -> finding.unsafe() == unsafe)
			.collect(Collectors.groupingBy(Effect::of, LinkedHashMap::new,
					Collectors.mapping((finding) -> "'" + finding.subject() + "'", Collectors.toList())))
			.forEach((effect, names) -> lines.add(effect.line(names)));
		return lines;
	}

	private static String some(List<String> names) {
		String some = String.join(", ", names.subList(0, Math.min(MOST_NAMES, names.size())));
		return (names.size() <= MOST_NAMES) ? some : "%s and %s more".formatted(some, names.size() - MOST_NAMES);
	}

	/** What a key of a policy does, whatever the queue. */
	private record Effect(String policy, String key, Object value, boolean queue, String consequence) {

		static Effect of(BrokerPolicyFinding finding) {
			return new Effect(finding.policy().description(), finding.key(), finding.value(), finding.queue(),
					finding.consequence());
		}

		String line(List<String> names) {
			return "%s sets '%s' to '%s' for %s %s: %s".formatted(this.policy, this.key, this.value,
					this.queue ? "queue" : "exchange", some(names), this.consequence);
		}

	}

}
