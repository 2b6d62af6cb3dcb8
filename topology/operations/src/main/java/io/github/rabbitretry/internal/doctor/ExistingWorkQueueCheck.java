/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.doctor;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import io.github.rabbitretry.internal.existingqueue.DeadLetterAdvice;
import io.github.rabbitretry.internal.snapshot.BindingSnapshot;
import io.github.rabbitretry.internal.snapshot.BrokerSnapshot;
import io.github.rabbitretry.internal.snapshot.ExpectedTopology;
import io.github.rabbitretry.internal.snapshot.QueueSnapshot;
import io.github.rabbitretry.internal.topology.BindingDefinition;
import io.github.rabbitretry.internal.topology.MessageTopology;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.Binding.DestinationType;

/**
 * Checks work queues that another application declares.
 */
final class ExistingWorkQueueCheck implements DoctorCheck {

	@Override
	public List<Finding> examine(ExpectedTopology expected, BrokerSnapshot live) {
		Routes routes = new Routes(live);
		List<Finding> findings = new ArrayList<>();
		for (MessageTopology topology : expected.existing().values()) {
			QueueSnapshot queue = live.queues().get(topology.queue());
			if (queue == null) {
				findings.add(FindingCode.EXISTING_QUEUE_UNFIT.of(topology.queue(),
						"There is no queue '%s', and its policy says work-queue: existing.".formatted(topology.queue()),
						"Start what declares it, or set work-queue to declare.", List.of()));
			}
			else if (queue.type().equals("stream")) {
				findings.add(FindingCode.EXISTING_QUEUE_UNFIT.of(queue.name(),
						"Queue '%s' is a stream.".formatted(queue.name()),
						"Remove its message policy, or have the messages published to a queue too.", List.of()));
			}
			else {
				examine(topology, queue, routes, expected, live, findings);
			}
		}
		return findings;
	}

	private static void examine(MessageTopology topology, QueueSnapshot queue, Routes routes, ExpectedTopology expected,
			BrokerSnapshot live, List<Finding> findings) {
		if (!queue.durable() || queue.shortLived() || queue.arguments().containsKey("x-expires")) {
			findings.add(FindingCode.EXISTING_QUEUE_UNFIT.of(Severity.WARNING, queue.name(),
					"Queue '%s' is not durable, or the broker deletes it.".formatted(queue.name()),
					"Have its owner declare it as a durable queue, or give the policy another one.", List.of()));
		}
		@Nullable Object exchange = queue.effective("dead-letter-exchange", live.policies());
		String command = DeadLetterAdvice.command(topology, queue.queueType(), live.policies(), live.virtualHost());
		String remedy = "Give it the policy's dead-letter exchange by a broker policy. An argument of the queue beats it: then have its owner change that.";
		if (exchange == null) {
			findings.add(FindingCode.DEAD_LETTERS_LOST.of(Severity.WARNING, queue.name(),
					"Queue '%s' has no dead-letter exchange.".formatted(queue.name()), remedy, List.of(command)));
			return;
		}
		Set<String> passed = routes.passed(exchange.toString());
		if (live.unreadable().stream().anyMatch((unreadable) -> passed.contains(unreadable.source()))) {
			return;
		}
		Set<Routes.Stop> stops = new LinkedHashSet<>();
		keys(topology, queue, exchange.toString(), live).forEach((key) -> stops.addAll(routes.deadLetters(queue, key)));
		if (stops.isEmpty()) {
			boolean argument = queue.arguments().containsKey("x-dead-letter-exchange");
			findings.add(FindingCode.DEAD_LETTERS_LOST.of(queue.name(),
					"Queue '%s' sends its dead letters to exchange '%s', which leads to no queue."
						.formatted(queue.name(), exchange),
					argument ? "Its argument says so, which only declaring it again changes: declare the exchange as its owner does, and bind '%s' to it."
						.formatted(topology.deadLetterQueue()) : remedy,
					argument ? List.of(live.commands().ctl("list_bindings")) : List.of(command)));
		}
		else if (stops.stream()
			.noneMatch((stop) -> stop.queue().equals(topology.deadLetterQueue())
					|| expected.application().adopted().contains(stop.queue()))) {
			findings.add(FindingCode.DEAD_LETTERS_ELSEWHERE.of(queue.name(),
					"Queue '%s' sends its dead letters to exchange '%s', which does not lead to '%s'."
						.formatted(queue.name(), exchange, topology.deadLetterQueue()),
					"If they are to be parked, bind '%s' to that exchange; or take them in with rabbit-retry.ledger.adopt."
						.formatted(topology.deadLetterQueue()),
					exchange.toString().isEmpty()
							|| !live.hasEndsOf(toDeadLetterQueue(topology, queue, exchange.toString(), live), expected)
									? List.of() : List.of(live.commands()
										.bind(toDeadLetterQueue(topology, queue, exchange.toString(), live)))));
		}
	}

	/** With which keys messages come into it. */
	private static List<@Nullable String> keys(MessageTopology topology, QueueSnapshot queue, String exchange,
			BrokerSnapshot live) {
		List<@Nullable String> keys = new ArrayList<>();
		keys.add(queue.name());
		for (BindingSnapshot binding : live.bindingsOf(queue.name())) {
			if (!binding.routingKey().matches(".*[*#].*")) {
				keys.add(binding.routingKey());
			}
			else if (!exchange.equals(topology.deadLetterExchange())) {
				// any
				keys.add(null);
			}
		}
		return keys;
	}

	private static BindingDefinition toDeadLetterQueue(MessageTopology topology, QueueSnapshot queue, String exchange,
			BrokerSnapshot live) {
		@Nullable Object key = queue.effective("dead-letter-routing-key", live.policies());
		return new BindingDefinition(exchange, (key != null) ? key.toString() : topology.queue(), DestinationType.QUEUE,
				topology.deadLetterQueue());
	}

}
