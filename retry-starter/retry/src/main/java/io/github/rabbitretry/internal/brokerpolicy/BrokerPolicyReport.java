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
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.rabbitretry.internal.topology.InvalidConfigurationException;

/**
 * What policies do to our queues, in lines to be read, and the commands against it.
 *
 * @param findings everything worth knowing
 * @param missing what queues need and no policy gives
 * @param commands the commands that protect the queues
 * @param tooSlow handlers that may take longer than the broker waits for them
 * @param unreadable policies of which it is not known what they match, in words
 */
record BrokerPolicyReport(List<BrokerPolicyFinding> findings, List<MissingKey> missing, List<String> commands,
		List<InvalidConfigurationException> tooSlow, List<String> unreadable) {

	private static final int MOST_NAMES = 5;

	BrokerPolicyReport {
		findings = List.copyOf(findings);
		missing = List.copyOf(missing);
		commands = List.copyOf(commands);
		tooSlow = List.copyOf(tooSlow);
		unreadable = List.copyOf(unreadable);
	}

	static BrokerPolicyReport of(BrokerPolicyEvaluation check, BrokerPolicyRequirements requirements,
			BrokerPolicies policies, List<InvalidConfigurationException> tooSlow, String virtualHost) {
		List<BrokerPolicyFinding> findings = check.run(policies);
		List<MissingKey> missing = requirements.missing(policies);
		List<String> commands = new BrokerPolicyRemedy(requirements, policies, virtualHost).commands(
				findings.stream().filter(BrokerPolicyFinding::unsafe).toList(),
				missing.stream().map((key) -> key.queue().name()).toList());
		return new BrokerPolicyReport(findings, missing, commands, tooSlow,
				policies.unreadable().stream().map(BrokerPolicy::description).toList());
	}

	/**
	 * How much would lose messages.
	 * @return the number of keys, each counted for each queue
	 */
	long unsafeKeys() {
		return this.missing.size() + this.findings.stream().filter(BrokerPolicyFinding::unsafe).count();
	}

	/**
	 * The retry queues from which messages would not come back to the work queue.
	 * @param required which queues get their dead-letter exchange from policies
	 * @param otherwise whether a policy that leads elsewhere is taken for a mistake
	 * @return names of queues
	 */
	Set<String> noWayBack(BrokerPolicyRequirements required, boolean otherwise) {
		Stream<String> none = this.missing.stream().filter(MissingKey::noWayBack).map((key) -> key.queue().name());
		Stream<String> elsewhere = this.findings.stream()
			.filter((finding) -> otherwise && finding.unsafe() && finding.queue() && MissingKey.isRoute(finding.key()))
			.map(BrokerPolicyFinding::subject)
			.filter(required::isRetryQueue);
		return Stream.concat(none, elsewhere).collect(Collectors.toUnmodifiableSet());
	}

	/**
	 * What no policy gives, one line for all queues of which that means the same.
	 * @return the lines
	 */
	List<String> missingLines() {
		Map<String, List<String>> names = new LinkedHashMap<>();
		this.missing.forEach((key) -> names
			.computeIfAbsent("%s: %s".formatted(key.key(), key.consequence()), (effect) -> new ArrayList<>())
			.add("'" + key.queue().name() + "'"));
		List<String> lines = new ArrayList<>();
		names.forEach((effect, queues) -> lines.add("no policy gives queue %s %s".formatted(some(queues), effect)));
		if (!lines.isEmpty()) {
			this.unreadable.forEach((policy) -> lines
				.add("%s may be in effect instead of others: its pattern can't be understood".formatted(policy)));
		}
		return lines;
	}

	/**
	 * The findings, one line for all queues for which a key of a policy, or its absence,
	 * does the same.
	 * @param unsafe whether those that lose messages, or those that are good to know
	 * @return the lines
	 */
	List<String> lines(boolean unsafe) {
		List<String> lines = new ArrayList<>(unsafe ? missingLines() : List.of());
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
