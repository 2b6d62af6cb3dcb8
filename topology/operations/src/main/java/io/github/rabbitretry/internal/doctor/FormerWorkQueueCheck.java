/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.doctor;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import io.github.rabbitretry.internal.snapshot.BrokerSnapshot;
import io.github.rabbitretry.internal.snapshot.ExpectedTopology;
import io.github.rabbitretry.internal.snapshot.QueueSnapshot;
import io.github.rabbitretry.internal.topology.MessageTopology;

import org.springframework.amqp.core.Binding.DestinationType;

/**
 * Finds work queues that a policy may have had under another name: they get what its
 * queue gets, have queues for dead letters beside them, and are not consumed.
 */
final class FormerWorkQueueCheck implements DoctorCheck {

	@Override
	public List<Finding> examine(ExpectedTopology expected, BrokerSnapshot live) {
		if (live.consumers().isEmpty()) {
			return List.of();
		}
		return live.queues()
			.values()
			.stream()
			.filter((queue) -> !expected.queues().containsKey(queue.name()) && isWorkQueue(queue.name(), live)
					&& live.consumersOf(queue.name()).isEmpty())
			.flatMap((queue) -> successor(queue.name(), expected, live).map((now) -> finding(queue, now)).stream())
			.toList();
	}

	private static boolean isWorkQueue(String name, BrokerSnapshot live) {
		return Stream.of(".dlq", ".parking-lot").allMatch((end) -> live.queues().containsKey(name + end));
	}

	private static Optional<String> successor(String queue, ExpectedTopology expected, BrokerSnapshot live) {
		List<String> workQueues = expected.topologies().stream().map(MessageTopology::queue).toList();
		return expected.parts()
			.bindings()
			.stream()
			.filter((model) -> model.type() == DestinationType.QUEUE && workQueues.contains(model.destination())
					&& live.bindingsOf(queue)
						.stream()
						.anyMatch((binding) -> binding.source().equals(model.exchange())
								&& binding.routingKey().equals(model.routingKey())))
			.map((model) -> model.destination())
			.findFirst();
	}

	private static Finding finding(QueueSnapshot queue, String now) {
		Finding finding = FindingCode.LEFTOVER.of(queue.name(),
				"Queue '%s' has %s and no consumer. It gets the messages that '%s' gets.".formatted(queue.name(),
						queue.content(), now),
				"If '%s' was called so before, stop the service and move its messages as the plan says. If it is another service's, start that."
					.formatted(now),
				List.of("rabbit-retry topology plan --config application.yml --former-config before.yml"));
		return (queue.messages() == 0) ? finding : finding.with(Severity.WARNING);
	}

}
