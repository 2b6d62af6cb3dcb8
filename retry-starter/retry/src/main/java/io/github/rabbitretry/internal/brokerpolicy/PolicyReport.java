/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.brokerpolicy;

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
 */
record PolicyReport(List<PolicyFinding> findings, List<String> commands, List<InvalidConfigurationException> tooSlow) {

	private static final int MOST_NAMES = 5;

	PolicyReport {
		findings = List.copyOf(findings);
		commands = List.copyOf(commands);
		tooSlow = List.copyOf(tooSlow);
	}

	static PolicyReport of(PolicyCheck check, BrokerPolicies policies, List<InvalidConfigurationException> tooSlow,
			String virtualHost) {
		List<PolicyFinding> findings = check.run(policies);
		return new PolicyReport(findings, new PolicyRemedy(policies, virtualHost).commands(findings), tooSlow);
	}

	List<PolicyFinding> unsafe() {
		return this.findings.stream().filter(PolicyFinding::unsafe).toList();
	}

	/**
	 * The findings, one line for all queues for which a key of a policy does the same.
	 * @param unsafe whether those that lose messages, or those that are good to know
	 * @return the lines
	 */
	List<String> lines(boolean unsafe) {
		return this.findings.stream()
			.filter((finding) -> finding.unsafe() == unsafe)
			.collect(Collectors.groupingBy(Effect::of, LinkedHashMap::new,
					Collectors.mapping((finding) -> "'" + finding.subject() + "'", Collectors.toList())))
			.entrySet()
			.stream()
			.map((entry) -> entry.getKey().line(entry.getValue()))
			.toList();
	}

	private static String some(List<String> names) {
		String some = String.join(", ", names.subList(0, Math.min(MOST_NAMES, names.size())));
		return (names.size() <= MOST_NAMES) ? some : "%s and %d more".formatted(some, names.size() - MOST_NAMES);
	}

	/** What a key of a policy does, whatever the queue. */
	private record Effect(String policy, String key, Object value, boolean queue, String consequence) {

		static Effect of(PolicyFinding finding) {
			return new Effect(finding.policy().description(), finding.key(), finding.value(), finding.queue(),
					finding.consequence());
		}

		String line(List<String> names) {
			return "%s sets '%s' to '%s' for %s %s: %s".formatted(this.policy, this.key, this.value,
					this.queue ? "queue" : "exchange", some(names), this.consequence);
		}

	}

}
