/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.doctor;

import java.util.ArrayList;
import java.util.List;

import io.github.rabbitretry.internal.snapshot.BrokerSnapshot;
import io.github.rabbitretry.internal.snapshot.ConnectionSnapshot;
import io.github.rabbitretry.internal.snapshot.ConsumerSnapshot;
import io.github.rabbitretry.internal.snapshot.ExpectedTopology;
import io.github.rabbitretry.internal.topology.QueueDefinition;
import io.github.rabbitretry.internal.topology.QueueRole;

/**
 * Compares the consumers of our queues with what is expected.
 */
final class ConsumerCheck implements DoctorCheck {

	@Override
	public List<Finding> examine(ExpectedTopology expected, BrokerSnapshot live) {
		List<Finding> findings = new ArrayList<>();
		if (live.consumers().isEmpty()) {
			return findings;
		}
		for (QueueDefinition queue : expected.parts().queues()) {
			if (live.queues().containsKey(queue.name())) {
				List<ConsumerSnapshot> consumers = live.consumersOf(queue.name());
				examine(queue, consumers, expected, live, findings);
			}
		}
		return findings;
	}

	private static void examine(QueueDefinition queue, List<ConsumerSnapshot> consumers, ExpectedTopology expected,
			BrokerSnapshot live, List<Finding> findings) {
		switch (queue.role()) {
			case WORK -> {
				unconsumed(queue, consumers,
						"Start the service, or check its log and health to see why its listener is not running.", live,
						findings);
				consumers.stream()
					.filter(ConsumerSnapshot::exclusive)
					.forEach((consumer) -> findings
						.add(FindingCode.CONSUMER_UNEXPECTED.of(Severity.WARNING, queue.name(),
								"Consumer '%s' of queue '%s' is exclusive.".formatted(consumer.tag(), queue.name()),
								"Make the listener not exclusive (for order, set ordering: queue).",
								List.of(live.commands().ctl("list_consumers")))));
			}
			case DEAD_LETTER -> {
				if (expected.deadLettersConsumed()) {
					unconsumed(queue, consumers, "Start the service with rabbit-retry.dead-letter-consumer.enabled.",
							live, findings);
				}
			}
			case QUARANTINE -> unconsumed(queue, consumers,
					"Start the service, or check its log and health to see why its listener is not running.", live,
					findings);
			case RETRY -> consumers.forEach((consumer) -> consumed(queue, consumer, Severity.ERROR, live, findings));
			default -> consumers.stream()
				.filter((consumer) -> queue.role() == QueueRole.UNROUTABLE || !isOurs(consumer, live))
				.forEach((consumer) -> consumed(queue, consumer, Severity.WARNING, live, findings));
		}
	}

	private static void unconsumed(QueueDefinition queue, List<ConsumerSnapshot> consumers, String remedy,
			BrokerSnapshot live, List<Finding> findings) {
		if (consumers.isEmpty()) {
			findings.add(FindingCode.QUEUE_UNCONSUMED.of(queue.name(),
					"Queue '%s' has no consumers.".formatted(queue.name()), remedy,
					List.of(live.commands().ctl("list_consumers"))));
		}
	}

	private static void consumed(QueueDefinition queue, ConsumerSnapshot consumer, Severity severity,
			BrokerSnapshot live, List<Finding> findings) {
		findings.add(FindingCode.CONSUMER_UNEXPECTED.of(severity, queue.name(),
				"Consumer '%s' on connection '%s' consumes queue '%s'.".formatted(consumer.tag(), consumer.connection(),
						queue.name()),
				"Find out whose it is, and have that application stop it.",
				List.of(live.commands().ctl("list_consumers"))));
	}

	/**
	 * The names of these connections end with what they are for. Whose an unknown one is,
	 * can't be known yet.
	 */
	private static boolean isOurs(ConsumerSnapshot consumer, BrokerSnapshot live) {
		ConnectionSnapshot connection = live.connections().get(consumer.connection());
		return connection == null || connection.givenName().endsWith(".ledger");
	}

}
