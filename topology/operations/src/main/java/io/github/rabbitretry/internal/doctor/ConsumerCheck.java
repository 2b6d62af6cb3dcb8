/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.doctor;

import java.util.ArrayList;
import java.util.List;

import io.github.rabbitretry.internal.snapshot.BrokerSnapshot;
import io.github.rabbitretry.internal.snapshot.BrokerSnapshot.ConnectionSnapshot;
import io.github.rabbitretry.internal.snapshot.BrokerSnapshot.ConsumerSnapshot;
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
		for (QueueDefinition queue : expected.parts().queues()) {
			if (live.consumers().isPresent() && live.queues().containsKey(queue.name())) {
				examine(queue, live.consumersOf(queue.name()), expected, live, findings);
			}
		}
		return findings;
	}

	private static void examine(QueueDefinition queue, List<ConsumerSnapshot> consumers, ExpectedTopology expected,
			BrokerSnapshot live, List<Finding> findings) {
		List<String> look = List.of(live.commands().ctl("list_consumers"));
		QueueRole role = queue.role();
		boolean deadLetters = role == QueueRole.DEAD_LETTER;
		if (consumers.isEmpty() && (role == QueueRole.WORK || role == QueueRole.QUARANTINE
				|| deadLetters && expected.application().deadLettersConsumed())) {
			findings.add(FindingCode.QUEUE_UNCONSUMED.of(queue.name(),
					"Queue '%s' has no consumers.".formatted(queue.name()),
					deadLetters ? "Start the service with rabbit-retry.dead-letter-consumer.enabled."
							: "Start the service, or check its log and health to see why its listener is not running.",
					look));
		}
		for (ConsumerSnapshot consumer : consumers) {
			if (role == QueueRole.WORK && consumer.exclusive()) {
				findings.add(FindingCode.CONSUMER_UNEXPECTED.of(Severity.WARNING, queue.name(),
						"Consumer '%s' of queue '%s' is exclusive.".formatted(consumer.tag(), queue.name()),
						"Make the listener not exclusive (for order, set ordering: queue).", look));
			}
			else if (role == QueueRole.RETRY || role == QueueRole.UNROUTABLE
					|| role == QueueRole.PARKING_LOT && !isOurs(consumer, live)) {
				findings.add(FindingCode.CONSUMER_UNEXPECTED.of(
						(role == QueueRole.RETRY) ? Severity.ERROR : Severity.WARNING, queue.name(),
						"Consumer '%s' on connection '%s' consumes queue '%s'.".formatted(consumer.tag(),
								consumer.connection(), queue.name()),
						"Find out whose it is, and have that application stop it.", look));
			}
		}
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
