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
import java.util.TreeSet;

import io.github.rabbitretry.internal.snapshot.BrokerSnapshot;
import io.github.rabbitretry.internal.snapshot.ExpectedTopology;
import io.github.rabbitretry.internal.snapshot.QueueSnapshot;
import io.github.rabbitretry.internal.snapshot.RemedyCommands;
import io.github.rabbitretry.internal.topology.QueueDefinition;
import org.jspecify.annotations.Nullable;

/**
 * Compares our queues with what is in effect for those on the broker, by argument or else
 * by policy. Policies that override arguments are examined on their own.
 */
final class QueueCheck implements DoctorCheck {

	/** What loses messages, and how. */
	private static final Map<String, String> ERRORS = Map.of("x-message-ttl",
			"Messages come back too early or too late, or are deleted where they were to wait for people.",
			"x-dead-letter-exchange", "Messages that leave the queue are dropped, or go to an unexpected place.",
			"x-dead-letter-routing-key", "Messages that leave the queue find no queue, or the wrong one.",
			"x-dead-letter-strategy",
			"Dead-lettering is at most once: messages on their way are lost when a node stops or a queue is away.",
			"x-overflow",
			"Dead-lettering is at most once without reject-publish, and a length limit drops the oldest messages.",
			"x-delivery-limit",
			"Messages that are looked at or returned more often than that are given up, or those that kill consumers are not.",
			"x-expires",
			"The broker deletes the queue with its messages if it is unused for that long; retry queues never have consumers.");

	private static final String TYPE = "A classic queue dead-letters at most once and counts no deliveries, and arguments of one type mean nothing to another.";

	private static final String DURABLE = "A restart of the broker deletes the queue with its messages.";

	private static final String LASTING = "The broker deletes the queue with its messages when its last consumer, or its connection, is gone.";

	@Override
	public List<Finding> examine(ExpectedTopology expected, BrokerSnapshot live) {
		List<Finding> findings = new ArrayList<>();
		for (QueueDefinition model : expected.parts().queues()) {
			if (model.existing()) {
				continue;
			}
			QueueSnapshot queue = live.queues().get(model.name());
			if (queue == null) {
				findings.add(FindingCode.QUEUE_MISSING.of(model.name(),
						"There is no queue '%s'.".formatted(model.name()),
						"Declare it, and bind it; a start of the application in topology.mode declare does that too.",
						live.commands().create(model, expected, live)));
			}
			else {
				findings.addAll(compare(model, queue, expected, live));
			}
		}
		return findings;
	}

	private static List<Finding> compare(QueueDefinition model, QueueSnapshot queue, ExpectedTopology expected,
			BrokerSnapshot live) {
		List<Finding> findings = new ArrayList<>();
		Differences differences = new Differences(model, queue, expected, live, findings);
		Object type = model.arguments().getOrDefault("x-queue-type", "quorum");
		if (queue.type().equals("stream")) {
			// nothing of it can be emptied or changed
			findings.add(FindingCode.QUEUE_WRONG.of(model.name(),
					"Queue '%s' is a stream, which can't be a %s.".formatted(model.name(),
							TopologyDoctor.label(model.role())),
					"It is another's. Give the policy another name for the queue (queue, or names.*).", List.of()));
			return findings;
		}
		if (!queue.type().equals(type)) {
			differences.add(TYPE, "is of type %s instead of %s".formatted(queue.type(), type));
		}
		if (!queue.durable()) {
			differences.add(DURABLE, "is not durable");
		}
		if (queue.shortLived()) {
			differences.add(LASTING, "is auto-delete or exclusive");
		}
		TreeSet<String> keys = new TreeSet<>(queue.arguments().keySet());
		keys.addAll(model.arguments().keySet());
		keys.remove("x-queue-type");
		for (String key : keys) {
			@Nullable Object wanted = model.arguments().get(key);
			@Nullable Object argument = queue.arguments().get(key);
			@Nullable Object there = queue.effective(key.substring(2), live.policies());
			if (argument == null && there != null && wanted == null) {
				// what a policy gives is examined with the policies
				continue;
			}
			if (!same(wanted, there) && !(isClassic(queue) && key.matches("x-de(livery-limit|ad-letter-strategy)"))) {
				differences.of(key, there, wanted);
			}
		}
		return findings;
	}

	/** That its type is wrong says it already. */
	private static boolean isClassic(QueueSnapshot queue) {
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
	private record Differences(QueueDefinition model, QueueSnapshot queue, ExpectedTopology expected,
			BrokerSnapshot live, List<Finding> findings) {

		void of(String key, @Nullable Object there, @Nullable Object wanted) {
			add(ERRORS.get(key), "has %s %s instead of %s".formatted(key, text(there), text(wanted)));
		}

		void add(@Nullable String error, String fact) {
			String name = this.model.name();
			String sentence = "Queue '%s' %s.".formatted(name, fact);
			RemedyCommands commands = this.live.commands();
			List<String> look = List.of(commands.ctl("list_queues", "name", "messages"));
			String doubt = doubt();
			FindingCode code = FindingCode.QUEUE_WRONG;
			Finding finding = (doubt != null) ? code.of(name, sentence, byHand(doubt), look) : (this.queue
				.messages() != 0) ? code.of(name, sentence, untilEmpty(), look) : code.of(name, sentence,
						"Run these commands in this order. The queue is unbound, deleted if it is still empty after some seconds, declared anew and bound again.",
						commands.replace(this.model, this.queue, this.expected, this.live));
			this.findings.add((error != null) ? finding.with(Severity.ERROR, error) : finding.with(Severity.WARNING));
		}

		/** Why no command deletes it. */
		private @Nullable String doubt() {
			return !Ownership.isSure(this.model, this.queue)
					? "whether the queue is this service's, and not another's of the same name, is not certain"
					: new QueueUsers(this.live).ofQueue(this.model.name(), this.expected.bindings());
		}

		private String byHand(String doubt) {
			return "No command is printed, since %s. Find out who uses the queue, which has %s. If others do, give the policy another name for it. If nothing else does, stop the service and its producers, empty and delete the queue, and start the service in topology.mode declare."
				.formatted(doubt, this.queue.content());
		}

		private String untilEmpty() {
			return "It has %s: they return when their delay is over; no new ones may arrive meanwhile. Run the doctor again when it is empty."
				.formatted(this.queue.content());
		}

	}

}
