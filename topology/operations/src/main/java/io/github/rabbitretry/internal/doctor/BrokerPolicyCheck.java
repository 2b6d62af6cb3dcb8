/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.doctor;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

import io.github.rabbitretry.internal.brokerpolicy.PolicyEffect;
import io.github.rabbitretry.internal.brokerpolicy.PolicyExamination;
import io.github.rabbitretry.internal.brokerpolicy.QueueDescription;
import io.github.rabbitretry.internal.snapshot.BrokerSnapshot;
import io.github.rabbitretry.internal.snapshot.ExpectedTopology;

import org.springframework.util.StringUtils;

/**
 * Has the policies in effect judged.
 */
final class BrokerPolicyCheck implements DoctorCheck {

	/** Keys that do harm without losing messages; others that do not are good to know. */
	private static final Set<String> TROUBLESOME = Set.of("max-length", "max-length-bytes", "delayed-retry-type");

	@Override
	public List<Finding> examine(ExpectedTopology expected, BrokerSnapshot live) {
		PolicyExamination examination = new PolicyExamination(expected.topologies());
		List<Finding> findings = new ArrayList<>();
		examination.effects(live.policies(), live.virtualHost(), TROUBLESOME::contains)
			.stream()
			.collect(Collectors.groupingBy(PolicyEffect::policy, LinkedHashMap::new, Collectors.toList()))
			.forEach((policy, effects) -> findings.add(finding(policy, effects)));
		examination
			.timeoutsTooShort(live.policies(),
					(name) -> Optional.ofNullable(live.queues().get(name))
						.map((queue) -> new QueueDescription(queue.type(), true, queue.arguments())))
			.forEach((problem) -> findings.add(FindingCode.CONSUMER_TIMEOUT_SHORT.of("consumer-timeout",
					problem.getMessage(),
					"Lower handler-timeout, or raise the consumer timeout of the queue or of the policy that sets it.",
					List.of(live.commands().ctl("list_policies")))));
		live.policies()
			.unreadable()
			.forEach((policy) -> findings.add(FindingCode.POLICY_UNSAFE.of(Severity.WARNING, policy.description(),
					"The doctor does not support the pattern of %s, so its effect on queues is unknown."
						.formatted(policy.description()),
					"Set it with a simpler pattern.", List.of(live.commands().ctl("list_policies")))));
		return findings;
	}

	/** One for all that a policy does: what displaces it ends all of it. */
	private static Finding finding(String policy, List<PolicyEffect> effects) {
		boolean harmless = effects.stream().allMatch((effect) -> severity(effect) == Severity.INFO);
		String fact = effects.stream()
			.map((effect) -> "sets %s to '%s' for %s: %s".formatted(effect.key(), effect.value(),
					some(effect.subjects()), effect.consequence()))
			.collect(Collectors.joining("; it ", StringUtils.capitalize(policy) + " ", "."));
		return FindingCode.POLICY_UNSAFE.of(
				effects.stream().map(BrokerPolicyCheck::severity).min(Comparator.naturalOrder()).orElseThrow(), policy,
				fact,
				"Override it for these queues with a policy that has the same keys except the harmful ones, or remove it.",
				effects.stream()
					.filter((effect) -> harmless || severity(effect) != Severity.INFO)
					.flatMap((effect) -> effect.commands().stream())
					.distinct()
					.toList())
			.affecting(effects.stream().flatMap((effect) -> effect.subjects().stream()).distinct().toList());
	}

	private static Severity severity(PolicyEffect effect) {
		return effect.unsafe() ? Severity.ERROR : TROUBLESOME.contains(effect.key()) ? Severity.WARNING : Severity.INFO;
	}

	private static String some(List<String> names) {
		return "'" + names.get(0) + "'" + ((names.size() > 1) ? " and %s more".formatted(names.size() - 1) : "");
	}

}
