/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.github.rabbitretry.internal.snapshot.BrokerSnapshot;
import io.github.rabbitretry.internal.snapshot.ExchangeSnapshot;
import io.github.rabbitretry.internal.snapshot.ExpectedTopology;
import io.github.rabbitretry.internal.snapshot.QueueSnapshot;
import io.github.rabbitretry.internal.topology.DelayLadder;
import io.github.rabbitretry.internal.topology.FormerQueue;
import io.github.rabbitretry.internal.topology.TopologyNames;

/**
 * Finds queues and exchanges with names of ours that no policy expects: those of earlier
 * configurations, of the first version's delays, and of work queues that are gone.
 */
final class LeftoverCheck implements DoctorCheck {

	private static final Pattern PART = Pattern.compile("(.+)\\.(retry\\.\\d+(ms|s|m|h|d)|dlq|parking-lot|quarantine)");

	/** What is in them never returns by itself. */
	private static final Pattern GIVEN_UP = Pattern.compile(".+\\.(dlq|undeliverable|parking-lot)");

	private static final Pattern EXCHANGE = Pattern.compile("delay(\\..+)?|retry|dlx");

	@Override
	public List<Finding> examine(ExpectedTopology expected, BrokerSnapshot live) {
		List<Finding> findings = new ArrayList<>();
		for (QueueSnapshot queue : live.queues().values()) {
			if (!expected.queues().containsKey(queue.name()) && !expected.application().adopted().contains(queue.name())
					&& isLeftover(queue.name(), expected)) {
				findings.add(finding(queue, expected, live));
			}
		}
		forgotten(expected, live, findings);
		exchanges(expected, live, findings);
		return findings;
	}

	private static boolean isLeftover(String name, ExpectedTopology expected) {
		if (isFormer(name, expected)) {
			return false;
		}
		if (DelayLadder.hasExchange(name)) {
			return !name.equals(DelayLadder.UNROUTABLE) && !DelayLadder.hasLevel(name);
		}
		return expected.types()
			.stream()
			.anyMatch((type) -> !name.equals(type.queue()) && Ownership.hasNameOf(type.queue(), name));
	}

	/** Of {@link FormerQueueCheck}. */
	private static boolean isFormer(String name, ExpectedTopology expected) {
		return expected.former().keySet().stream().anyMatch((former) -> Ownership.hasNameOf(former.queue(), name));
	}

	private static Finding finding(QueueSnapshot queue, ExpectedTopology expected, BrokerSnapshot live) {
		boolean empty = queue.messages() == 0;
		String use = new QueueUsers(live).ofQueue(queue.name(), Set.of());
		String fact = "No policy expects queue '%s', which has %s%s.".formatted(queue.name(), queue.content(),
				(use != null) ? ", and " + use : "");
		boolean sure = expected.topologies().stream().anyMatch((topology) -> Ownership.isSure(topology, queue));
		if (empty && sure && use == null) {
			return FindingCode.LEFTOVER.of(queue.name(), fact, "Delete it, if it stays empty for some seconds.",
					List.of(live.commands().deleteQueue(queue)));
		}
		String remedy = !sure
				? "Whether it is this service's, and not another's of the same name, is not certain. Find out who uses it."
				: empty ? "Another instance or configuration may still use it. Find out who does."
						: "Its messages return when their delay is over. Run the doctor again when it is empty.";
		if (!empty && !sure && GIVEN_UP.matcher(queue.name()).matches()) {
			remedy += " If its messages are this service's failures, name it in rabbit-retry.ledger.adopt: with the parking starter they can then be searched and replayed.";
		}
		Finding finding = FindingCode.LEFTOVER.of(queue.name(), fact, remedy, List.of((use != null)
				? live.commands().ctl("list_bindings") : live.commands().ctl("list_queues", "name", "messages")));
		return empty ? finding : finding.with(Severity.WARNING);
	}

	/**
	 * What a policy that is gone left behind. Queues of a work queue whose dead-letter
	 * queue is consumed are those of another service.
	 */
	private static void forgotten(ExpectedTopology expected, BrokerSnapshot live, List<Finding> findings) {
		Map<String, List<QueueSnapshot>> forgotten = new TreeMap<>();
		for (QueueSnapshot queue : live.queues().values()) {
			Matcher part = PART.matcher(queue.name());
			String work = part.matches() ? part.group(1) : queue.name();
			if (queue.messages() > 0 && !expected.queues().containsKey(queue.name())
					&& !expected.application().adopted().contains(queue.name()) && !isLeftover(queue.name(), expected)
					&& !isFormer(queue.name(), expected) && live.consumersOf(work + ".dlq").isEmpty()
					&& Ownership.isLikely(new FormerQueue(work, TopologyNames.DERIVED), queue)
					&& (part.matches() || isIdle(queue, live))) {
				forgotten.computeIfAbsent(work, (name) -> new ArrayList<>()).add(queue);
			}
		}
		forgotten.forEach((work, queues) -> {
			String counts = queues.stream()
				.map((queue) -> "'%s' has %s".formatted(queue.name(), queue.content()))
				.collect(Collectors.joining(", "));
			findings.add(FindingCode.LEFTOVER.of(live.consumers().isPresent() ? Severity.WARNING : Severity.INFO, work,
					"No policy of this service has queue '%s', and no other service consumes its dead letters: %s."
						.formatted(work, counts),
					"If a policy has another queue now, set its former-queues: [%s]. If the policy was removed, put it back until these queues are empty. If another service has it, start that."
						.formatted(work),
					List.of(live.commands().ctl("list_queues", "name", "messages", "consumers")))
				.affecting(queues.stream().map(QueueSnapshot::name).toList()));
		});
	}

	/** A work queue's dead-letter exchange alone is a name that others use, too. */
	private static boolean isIdle(QueueSnapshot work, BrokerSnapshot live) {
		return "reject-publish".equals(work.arguments().get("x-overflow")) && live.consumersOf(work.name()).isEmpty();
	}

	private static void exchanges(ExpectedTopology expected, BrokerSnapshot live, List<Finding> findings) {
		for (ExchangeSnapshot exchange : live.exchanges().values()) {
			if (!expected.exchanges().containsKey(exchange.name()) && isOfUs(exchange.name(), expected)
					&& !new QueueUsers(live).ofExchange(exchange.name(), Set.of())) {
				findings.add(FindingCode.LEFTOVER.of(exchange.name(),
						"No policy expects exchange '%s', and nothing is bound to it or dead-letters to it."
							.formatted(exchange.name()),
						"The broker does not know whether applications publish to it. Find out, and delete it if none does.",
						List.of(live.commands().ctl("list_exchanges"))));
			}
		}
	}

	private static boolean isOfUs(String name, ExpectedTopology expected) {
		return expected.types()
			.stream()
			.anyMatch((policy) -> name.startsWith(policy.queue() + ".")
					&& EXCHANGE.matcher(name.substring(policy.queue().length() + 1)).matches());
	}

}
