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
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

import io.github.rabbitretry.internal.brokerpolicy.PolicyExamination;
import io.github.rabbitretry.internal.topology.QueueModel;
import org.jspecify.annotations.Nullable;

/**
 * Compares our queues with what is in effect for those on the broker, by argument or else
 * by policy. Policies that override arguments are examined on their own.
 */
final class QueueExamination implements Examination {

	private static final Map<String, FindingCode> CODES = Map.of("x-message-ttl", FindingCode.TTL_WRONG,
			"x-dead-letter-exchange", FindingCode.DEAD_LETTER_EXCHANGE_WRONG, "x-dead-letter-routing-key",
			FindingCode.DEAD_LETTER_KEY_WRONG, "x-dead-letter-strategy", FindingCode.DEAD_LETTER_STRATEGY_WRONG,
			"x-overflow", FindingCode.OVERFLOW_WRONG, "x-delivery-limit", FindingCode.DELIVERY_LIMIT_WRONG, "x-expires",
			FindingCode.QUEUE_EXPIRES, "x-max-length", FindingCode.LENGTH_LIMIT, "x-max-length-bytes",
			FindingCode.LENGTH_LIMIT);

	@Override
	public List<Finding> examine(ExpectedTopology expected, LiveBroker live) {
		List<Finding> findings = new ArrayList<>();
		Map<String, Set<String>> lacking = new TreeMap<>();
		for (QueueModel model : expected.parts().queues()) {
			if (model.existing()) {
				continue;
			}
			LiveQueue queue = live.queues().get(model.name());
			if (queue == null) {
				findings.add(FindingCode.QUEUE_MISSING.of(model.name(),
						"There is no queue '%s'.".formatted(model.name()),
						"Declare it, and bind it; a start of the application in topology.mode declare does that too.",
						live.commands().recreate(model, expected, live).commands()));
			}
			else {
				findings.addAll(compare(model, queue, expected, live, lacking));
			}
		}
		if (!lacking.isEmpty()) {
			findings.add(policyMissing(lacking, expected, live));
		}
		return findings;
	}

	/** One for all queues: what takes one key away takes all. */
	private static Finding policyMissing(Map<String, Set<String>> lacking, ExpectedTopology expected, LiveBroker live) {
		Set<String> keys = lacking.values()
			.stream()
			.flatMap(Set::stream)
			.collect(Collectors.toCollection(TreeSet::new));
		return FindingCode.POLICY_MISSING.of("topology.arguments",
				"Queues lack what topology.arguments: minimal leaves to policies: %s."
					.formatted(String.join(", ", keys)),
				"Set the policies that give them all that they need, above any other that matches.",
				new PolicyExamination(expected.topologies()).requiredCommands(lacking.keySet(), live.policies(),
						live.virtualHost()))
			.affecting(List.copyOf(lacking.keySet()));
	}

	private static List<Finding> compare(QueueModel model, LiveQueue queue, ExpectedTopology expected, LiveBroker live,
			Map<String, Set<String>> lacking) {
		List<Finding> findings = new ArrayList<>();
		Differences differences = new Differences(model, queue, expected, live, findings);
		Object type = model.arguments().getOrDefault("x-queue-type", "quorum");
		if (!queue.type().equals(type)) {
			differences.add(FindingCode.QUEUE_TYPE_WRONG, "is of type %s instead of %s".formatted(queue.type(), type));
		}
		if (!queue.durable()) {
			differences.add(FindingCode.QUEUE_NOT_DURABLE, "is not durable");
		}
		if (queue.shortLived()) {
			differences.add(FindingCode.QUEUE_AUTO_DELETE, "is auto-delete or exclusive");
		}
		TreeSet<String> keys = new TreeSet<>(queue.arguments().keySet());
		keys.addAll(model.arguments().keySet());
		keys.remove("x-queue-type");
		for (String key : keys) {
			@Nullable Object wanted = model.arguments().get(key);
			@Nullable Object argument = queue.arguments().get(key);
			@Nullable Object there = queue.effective(key.substring(2), live.policies());
			if (argument == null && there != null && (wanted == null || model.minimal())) {
				// what a policy gives is examined with the policies
				continue;
			}
			if (!same(wanted, there)) {
				if (isClassic(queue) && key.matches("x-de(livery-limit|ad-letter-strategy)")) {
					continue;
				}
				if (argument == null && model.minimal() && !model.declaredArguments().containsKey(key)) {
					lacking.computeIfAbsent(model.name(), (name) -> new TreeSet<>()).add(key.substring(2));
				}
				else {
					differences.of(key, there, wanted);
				}
			}
			else if (argument != null && !model.declaredArguments().containsKey(key)) {
				differences.add(FindingCode.ARGUMENT_WRONG,
						"has the argument %s, which topology.arguments: minimal leaves to a policy".formatted(key));
			}
		}
		return findings;
	}

	/** That its type is wrong says it already. */
	private static boolean isClassic(LiveQueue queue) {
		return queue.type().equals("classic");
	}

	private static boolean same(@Nullable Object one, @Nullable Object other) {
		return (one instanceof Number left && other instanceof Number right) ? left.longValue() == right.longValue()
				: Objects.equals(String.valueOf(one), String.valueOf(other));
	}

	private static String text(@Nullable Object value) {
		return (value != null) ? "'" + value + "'" : "(none)";
	}

	/**
	 * Arguments can't be changed: a queue is made anew, once it is empty.
	 */
	private record Differences(QueueModel model, LiveQueue queue, ExpectedTopology expected, LiveBroker live,
			List<Finding> findings) {

		void of(String key, @Nullable Object there, @Nullable Object wanted) {
			add(CODES.getOrDefault(key, FindingCode.ARGUMENT_WRONG),
					"has %s %s instead of %s".formatted(key, text(there), text(wanted)));
		}

		void add(FindingCode code, String fact) {
			String name = this.model.name();
			String sentence = "Queue '%s' %s.".formatted(name, fact);
			RemedyCommands commands = this.live.commands();
			this.findings.add((this.queue.messages() == 0) ? commands.recreate(this.model, this.expected, this.live)
				.finding(code, name, sentence,
						"It was empty a moment ago: delete it and declare it anew. Stop what publishes to it before, since deleting takes messages along.")
					: code.of(name, sentence, untilEmpty(), List.of(commands.ctl("list_queues", "name", "messages"))));
		}

		private String untilEmpty() {
			String how = switch (this.model.role()) {
				case RETRY -> "they come back by themselves; nothing new may arrive meanwhile";
				case WORK, QUARANTINE -> "let its listeners empty it, without producers";
				case DEAD_LETTER -> "the dead-letter consumer empties it";
				default -> "let the ledger take them, or replay or move them";
			};
			return "It has %s: %s. Ask the doctor again when it is empty.".formatted(this.queue.content(), how);
		}

	}

}
