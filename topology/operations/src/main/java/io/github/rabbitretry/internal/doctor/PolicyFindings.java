/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

import io.github.rabbitretry.internal.brokerpolicy.PolicyEffect;
import io.github.rabbitretry.internal.brokerpolicy.PolicyExamination;
import io.github.rabbitretry.internal.brokerpolicy.QueueDescription;

/**
 * Has the policies in effect judged.
 */
final class PolicyFindings implements Examination {

	private static final Map<String, FindingCode> CODES = Map.ofEntries(
			Map.entry("overflow", FindingCode.POLICY_OVERFLOW),
			Map.entry("message-ttl", FindingCode.POLICY_MESSAGE_TTL), Map.entry("expires", FindingCode.POLICY_EXPIRES),
			Map.entry("delivery-limit", FindingCode.POLICY_DELIVERY_LIMIT),
			Map.entry("dead-letter-exchange", FindingCode.POLICY_DEAD_LETTER_EXCHANGE),
			Map.entry("dead-letter-routing-key", FindingCode.POLICY_DEAD_LETTER_ROUTING_KEY),
			Map.entry("dead-letter-strategy", FindingCode.POLICY_DEAD_LETTER_STRATEGY),
			Map.entry("alternate-exchange", FindingCode.POLICY_ALTERNATE_EXCHANGE),
			Map.entry("consumer-timeout", FindingCode.POLICY_CONSUMER_TIMEOUT),
			Map.entry("max-length", FindingCode.POLICY_LENGTH_LIMIT),
			Map.entry("max-length-bytes", FindingCode.POLICY_LENGTH_LIMIT),
			Map.entry("delayed-retry-type", FindingCode.POLICY_DELAYED_RETRY),
			Map.entry("federation-upstream", FindingCode.POLICY_FEDERATION),
			Map.entry("federation-upstream-set", FindingCode.POLICY_FEDERATION));

	/** What a code says is why its errors are errors. */
	private static final String HARMLESS = "No message is lost by it, but queues do not treat messages as configured.";

	@Override
	public List<Finding> examine(ExpectedTopology expected, LiveBroker live) {
		PolicyExamination examination = new PolicyExamination(expected.topologies());
		List<Finding> findings = new ArrayList<>();
		examination.effects(live.policies(), live.virtualHost(), PolicyFindings::troublesome)
			.forEach((effect) -> findings.add(finding(effect)));
		examination
			.timeoutsTooShort(live.policies(),
					(name) -> Optional.ofNullable(live.queues().get(name))
						.map((queue) -> new QueueDescription(queue.type(), true, queue.arguments())))
			.forEach((problem) -> findings.add(FindingCode.CONSUMER_TIMEOUT_SHORT.of("consumer-timeout", problem,
					"Lower handler-timeout, or raise the consumer timeout of the queue or of the policy that sets it.",
					List.of(live.commands().ctl("list_policies")))));
		live.policies()
			.unreadable()
			.forEach((policy) -> findings.add(FindingCode.POLICY_UNREADABLE.of(policy.description(),
					"The pattern of %s is one that RabbitMQ understands and this doctor does not."
						.formatted(policy.description()),
					"Set it with a simpler pattern.", List.of(live.commands().ctl("list_policies")))));
		return findings;
	}

	/** What a warning is about is displaced along with errors, but no information. */
	private static boolean troublesome(String key) {
		return code(key).severity() == Severity.WARNING;
	}

	private static FindingCode code(String key) {
		return Objects.requireNonNull(CODES.get(key), key);
	}

	private static Finding finding(PolicyEffect effect) {
		FindingCode code = code(effect.key());
		Finding finding = code.of(effect.policy(),
				"%s sets %s to '%s' for %s: %s.".formatted(capital(effect.policy()), effect.key(), effect.value(),
						some(effect.subjects()), effect.consequence()),
				"Displace it for our queues alone, by a policy with the same keys but those that do harm; or remove it.",
				effect.commands())
			.affecting(effect.subjects());
		if (effect.unsafe()) {
			return finding.with(Severity.ERROR);
		}
		return (finding.severity() == Severity.ERROR) ? finding.with(Severity.INFO, HARMLESS) : finding;
	}

	private static String some(List<String> names) {
		return "'" + names.get(0) + "'" + ((names.size() > 1) ? " and %d more".formatted(names.size() - 1) : "");
	}

	private static String capital(String text) {
		return Character.toUpperCase(text.charAt(0)) + text.substring(1);
	}

}
