/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.doctor;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.rabbitretry.internal.management.UnreadableBinding;
import io.github.rabbitretry.internal.topology.TypeTopology;
import io.github.rabbitretry.internal.topology.DelayLadder;
import org.jspecify.annotations.Nullable;

/**
 * Finds queues and exchanges with names of ours that no policy expects: those of earlier
 * configurations, of the first version's delays, and of work queues that are gone.
 */
final class LeftoverExamination implements Examination {

	private static final Pattern DELAY = Pattern.compile("retry\\.(\\d+(ms|s|m|h|d)|return)");

	private static final Pattern FIRST_VERSION = Pattern.compile("delay\\.\\d+(ms|s|m|h|d)|undeliverable");

	private static final Pattern OTHER = Pattern.compile("dlq|parking-lot|quarantine");

	private static final Pattern EXCHANGE = Pattern.compile("delay(\\..+)?|retry|dlx");

	private static final Pattern ORPHAN = Pattern.compile("(.+)\\.(parking-lot|quarantine|retry\\.\\d+(ms|s|m|h|d))");

	@Override
	public List<Finding> examine(ExpectedTopology expected, LiveBroker live) {
		List<Finding> findings = new ArrayList<>();
		Map<String, List<LiveQueue>> orphans = new LinkedHashMap<>();
		for (LiveQueue queue : live.queues().values()) {
			if (expected.queues().containsKey(queue.name())) {
				continue;
			}
			if (isTemporary(queue.name(), expected)) {
				findings.add(unfinished(queue));
				continue;
			}
			FindingCode code = code(queue.name(), expected);
			Matcher orphan = ORPHAN.matcher(queue.name());
			if (code != null) {
				findings.add(finding(code, queue, live));
			}
			else if (orphan.matches() && !live.queues().containsKey(orphan.group(1))
					&& !expected.queues().containsKey(orphan.group(1))) {
				orphans.computeIfAbsent(orphan.group(1), (name) -> new ArrayList<>()).add(queue);
			}
		}
		orphans.forEach((work, queues) -> findings.add(orphaned(work, queues, live)));
		exchanges(expected, live, findings);
		return findings;
	}

	private static boolean isTemporary(String name, ExpectedTopology expected) {
		if (!name.endsWith(BindingExamination.TEMPORARY)) {
			return false;
		}
		String replaced = name.substring(0, name.length() - BindingExamination.TEMPORARY.length());
		return expected.queues().containsKey(replaced) || code(replaced, expected) != null;
	}

	private static Finding unfinished(LiveQueue queue) {
		return FindingCode.MIGRATION_UNFINISHED.of(queue.name(),
				"Queue '%s' has %s: a migration runs, or has ended early.".formatted(queue.name(), queue.content()),
				"Unless it runs, let it do the rest, with the configuration that it was begun with.",
				List.of("rabbit-retry migrate apply --config application.yml"));
	}

	private static @Nullable FindingCode code(String name, ExpectedTopology expected) {
		if (DelayLadder.hasExchange(name)) {
			boolean known = name.equals(DelayLadder.UNROUTABLE)
					|| DelayLadder.queues().stream().anyMatch((queue) -> queue.name().equals(name));
			return known ? null : FindingCode.QUEUE_LEFTOVER;
		}
		for (TypeTopology policy : expected.types()) {
			String prefix = policy.queue() + ".";
			if (name.startsWith(prefix)) {
				String rest = name.substring(prefix.length());
				if (DELAY.matcher(rest).matches()) {
					return FindingCode.RETRY_QUEUE_LEFTOVER;
				}
				if (FIRST_VERSION.matcher(rest).matches()) {
					return FindingCode.LADDER_LEFTOVER;
				}
				if (OTHER.matcher(rest).matches()) {
					return FindingCode.QUEUE_LEFTOVER;
				}
			}
		}
		return null;
	}

	/**
	 * By its name alone it may be somebody else's, or still used by an earlier instance.
	 */
	private static @Nullable String use(LiveQueue queue, LiveBroker live) {
		if (!live.consumersOf(queue.name()).isEmpty()) {
			return "it has a consumer";
		}
		for (LiveBinding binding : live.bindingsOf(queue.name())) {
			if (!binding.source().isEmpty()) {
				return "exchange '%s' leads to it".formatted(binding.source());
			}
		}
		if (!live.allBindings()) {
			return "which exchanges lead to it is not known";
		}
		List<UnreadableBinding> unreadable = live.unreadableOfQueue(queue.name());
		if (!unreadable.isEmpty()) {
			return "exchange '%s' leads to it".formatted(unreadable.get(0).source());
		}
		return live.queues()
			.values()
			.stream()
			.filter((other) -> "".equals(other.effective("dead-letter-exchange", live.policies()))
					&& queue.name().equals(other.effective("dead-letter-routing-key", live.policies())))
			.findFirst()
			.map((other) -> "queue '%s' dead-letters to it".formatted(other.name()))
			.orElse(null);
	}

	private static Finding finding(FindingCode code, LiveQueue queue, LiveBroker live) {
		boolean empty = queue.messages() == 0;
		String use = use(queue, live);
		if (empty && use != null) {
			return code.of(queue.name(), "No policy expects queue '%s', but %s.".formatted(queue.name(), use),
					"If nobody needs it any more, let rabbit-retry migrate plan say what to do.",
					List.of(live.commands().ctl("list_bindings")));
		}
		String remedy = empty ? "Delete it; it was empty a moment ago." : (code != FindingCode.QUEUE_LEFTOVER)
				? "Wait until it is empty; then the doctor has the command to delete it."
				: "Move its messages, as by rabbit-retry.ledger.adopt or a shovel; then the doctor has the command to delete it.";
		Finding finding = code.of(queue.name(),
				"No policy expects queue '%s', which has %s.".formatted(queue.name(), queue.content()), remedy,
				empty ? List.of(live.commands().deleteQueue(queue))
						: List.of(live.commands().ctl("list_queues", "name", "messages")));
		return empty ? finding : finding.with(Severity.WARNING);
	}

	private static Finding orphaned(String work, List<LiveQueue> queues, LiveBroker live) {
		List<String> names = queues.stream().map(LiveQueue::name).toList();
		boolean empty = queues.stream().allMatch((queue) -> queue.messages() == 0);
		Finding finding = FindingCode.QUEUE_ORPHANED
			.of(work, "There is no queue '%s', but '%s'.".formatted(work, String.join("', '", names)),
					empty ? "If no service declares '%s' any more, delete them.".formatted(work)
							: "Start the service that declares '%s', or move the messages.".formatted(work),
					queues.stream()
						.filter((queue) -> queue.messages() == 0 && use(queue, live) == null)
						.map((queue) -> live.commands().deleteQueue(queue))
						.toList())
			.affecting(names);
		return empty ? finding : finding.with(Severity.WARNING);
	}

	private static void exchanges(ExpectedTopology expected, LiveBroker live, List<Finding> findings) {
		for (LiveExchange exchange : live.exchanges().values()) {
			if (!expected.exchanges().containsKey(exchange.name()) && isOfUs(exchange.name(), expected)
					&& !isNeeded(exchange.name(), live)) {
				findings.add(FindingCode.EXCHANGE_LEFTOVER.of(exchange.name(),
						"No policy expects exchange '%s', and nothing is bound to it or dead-letters to it."
							.formatted(exchange.name()),
						"Delete it.", List.of(live.commands().deleteExchange(exchange.name()))));
			}
		}
	}

	private static boolean isOfUs(String name, ExpectedTopology expected) {
		return expected.types()
			.stream()
			.anyMatch((policy) -> name.startsWith(policy.queue() + ".")
					&& EXCHANGE.matcher(name.substring(policy.queue().length() + 1)).matches());
	}

	/** By its name alone it may be somebody else's. */
	private static boolean isNeeded(String exchange, LiveBroker live) {
		return !live.allBindings()
				|| live.bindings()
					.stream()
					.anyMatch((binding) -> binding.source().equals(exchange)
							|| !binding.toQueue() && binding.destination().equals(exchange))
				|| !live.unreadableOfExchange(exchange).isEmpty()
				|| live.exchanges()
					.values()
					.stream()
					.anyMatch((other) -> exchange.equals(other.arguments().get("alternate-exchange")))
				|| live.queues()
					.values()
					.stream()
					.anyMatch((queue) -> exchange.equals(queue.effective("dead-letter-exchange", live.policies())));
	}

}
