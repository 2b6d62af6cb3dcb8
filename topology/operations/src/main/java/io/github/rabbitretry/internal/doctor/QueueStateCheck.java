/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.doctor;

import java.util.ArrayList;
import java.util.List;

import io.github.rabbitretry.internal.management.QueueLists;
import io.github.rabbitretry.internal.snapshot.BrokerSnapshot;
import io.github.rabbitretry.internal.snapshot.ExpectedTopology;
import io.github.rabbitretry.internal.snapshot.QueueSnapshot;
import io.github.rabbitretry.internal.topology.DelayLadder;
import io.github.rabbitretry.internal.topology.QueueDefinition;

/**
 * Looks whether our queues work, and whether messages are stuck in them.
 */
final class QueueStateCheck implements DoctorCheck {

	@Override
	public List<Finding> examine(ExpectedTopology expected, BrokerSnapshot live) {
		List<Finding> findings = new ArrayList<>();
		for (QueueDefinition model : expected.parts().queues()) {
			QueueSnapshot queue = live.queues().get(model.name());
			if (queue != null) {
				examine(queue, live, findings);
			}
		}
		QueueSnapshot last = live.queues().get(DelayLadder.UNROUTABLE);
		if (last != null && last.messages() > 0) {
			findings.add(unroutable(last, live));
		}
		return findings;
	}

	/** Only what came from the ladder can be moved on. */
	private static Finding unroutable(QueueSnapshot last, BrokerSnapshot live) {
		boolean ladder = live.exchanges().containsKey(DelayLadder.EXIT);
		return FindingCode.MESSAGES_UNROUTABLE
			.of(last.name(), "%s messages are in queue '%s'.".formatted(last.messages(), last.name()), ladder
					? "Start the service that declares their queue, and move them to exchange '%s', as by the shovel plugin."
						.formatted(DelayLadder.EXIT)
					: "They expired in a dead-letter queue, as the header x-death shows, or no consumer could receive them. Publish those that can be read to their parking lot, and remove the others with a client that can receive them.",
					ladder ? live.commands().moveUnroutable()
							: List.of(live.commands().ctl("list_queues", "name", "messages")));
	}

	private static void examine(QueueSnapshot queue, BrokerSnapshot live, List<Finding> findings) {
		boolean leaderless = queue.type().equals("quorum") && (queue.leader() == null || queue.leader().isEmpty());
		if (!QueueLists.isAvailable(queue.state()) || leaderless) {
			findings.add(FindingCode.QUEUE_UNAVAILABLE.of(queue.name(),
					"Queue '%s' is in state '%s'%s.".formatted(queue.name(), queue.state(),
							leaderless ? " and has no leader" : ""),
					"Start the nodes that it is on: %s.".formatted(queue.members()),
					queue.type().equals("quorum")
							? List.of("rabbitmq-queues check_if_node_is_quorum_critical", "rabbitmqctl cluster_status")
							: List.of("rabbitmqctl cluster_status")));
		}
		else if (!queue.online().isEmpty() && queue.online().size() < queue.members().size()) {
			findings.add(FindingCode.QUEUE_UNAVAILABLE.of(
					Severity.WARNING, queue.name(), "Queue '%s' has replicas on %s, of which only %s are up."
						.formatted(queue.name(), queue.members(), queue.online()),
					"Start the other nodes.", List.of("rabbitmqctl cluster_status")));
		}
		long stuck = queue.stuck(live.policies());
		if (stuck > 0) {
			findings.add(FindingCode.MESSAGES_STUCK.of(queue.name(),
					"%s of %s messages of queue '%s' are neither ready nor unacknowledged, and were not 6 seconds before."
						.formatted(stuck, queue.messages(), queue.name()),
					"Repair the way that they take (see the findings about exchanges and bindings), and allow 6 minutes.",
					List.of(live.commands()
						.ctl("list_queues", "name", "messages", "messages_ready", "messages_unacknowledged"))));
		}
	}

}
