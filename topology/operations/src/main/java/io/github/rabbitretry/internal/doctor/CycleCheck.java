/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.doctor;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.rabbitretry.internal.snapshot.BindingSnapshot;
import io.github.rabbitretry.internal.snapshot.BrokerSnapshot;
import io.github.rabbitretry.internal.snapshot.ExpectedTopology;
import io.github.rabbitretry.internal.snapshot.QueueSnapshot;
import io.github.rabbitretry.internal.topology.QueueModel;
import io.github.rabbitretry.internal.topology.QueueRole;
import org.jspecify.annotations.Nullable;

/**
 * Looks for ways on which the broker alone brings a message back to a queue that it was
 * in. The intended ring is none: out of a work queue a message comes by its application.
 */
final class CycleCheck implements DoctorCheck {

	@Override
	public List<Finding> examine(ExpectedTopology expected, BrokerSnapshot live) {
		Routes routes = new Routes(live);
		Map<Set<String>, List<String>> cycles = new LinkedHashMap<>();
		Set<Routes.Stop> done = new HashSet<>();
		for (QueueModel model : expected.parts().queues()) {
			follow(new Routes.Stop(model.name(), null), routes, live, new ArrayList<>(), done, cycles);
		}
		return cycles.values()
			.stream()
			.filter((cycle) -> cycle.stream().anyMatch(expected.queues()::containsKey))
			.map((cycle) -> finding(cycle, expected, live))
			.toList();
	}

	private static void follow(Routes.Stop stop, Routes routes, BrokerSnapshot live, List<Routes.Stop> way,
			Set<Routes.Stop> done, Map<Set<String>, List<String>> cycles) {
		List<String> queues = way.stream().map(Routes.Stop::queue).toList();
		int begin = queues.indexOf(stop.queue());
		if (begin >= 0) {
			List<String> cycle = queues.subList(begin, queues.size());
			cycles.putIfAbsent(Set.copyOf(cycle), List.copyOf(cycle));
			return;
		}
		QueueSnapshot queue = live.queues().get(stop.queue());
		if (queue == null || !done.add(stop)) {
			return;
		}
		way.add(stop);
		for (Routes.Stop next : routes.deadLetters(queue, stop.key())) {
			follow(next, routes, live, way, done, cycles);
		}
		way.remove(way.size() - 1);
	}

	private static Finding finding(List<String> cycle, ExpectedTopology expected, BrokerSnapshot live) {
		String fact = "Dead letters go round: '%s' and back.".formatted(String.join("' to '", cycle));
		@Nullable BindingSnapshot binding = unexpectedBinding(cycle, expected, live);
		if (binding != null) {
			return FindingCode.ROUTING_CYCLE
				.of(cycle.get(0), fact, "Remove the %s.".formatted(binding.description()),
						isOurs(binding, expected) ? List.of(live.commands().unbind(binding)) : List.of())
				.affecting(cycle);
		}
		if (cycle.stream().map(expected.queues()::get).anyMatch((model) -> model != null && model.existing())) {
			return FindingCode.ROUTING_CYCLE.of(cycle.get(0), fact,
					"Retries of the queue's owner go round like that, and RabbitMQ drops none that was rejected on its way. Remove that ring once the policy has taken over, see migrating an existing service.",
					List.of(live.commands().ctl("list_queues", "name", "arguments", "effective_policy_definition")))
				.affecting(cycle)
				.with(Severity.INFO);
		}
		return FindingCode.ROUTING_CYCLE.of(cycle.get(0), fact,
				"See the other findings about these queues; or change the dead-letter exchange of one of them, which its arguments or a policy sets.",
				List.of(live.commands().ctl("list_queues", "name", "arguments", "effective_policy_definition")))
			.affecting(cycle);
	}

	private static boolean isOurs(BindingSnapshot binding, ExpectedTopology expected) {
		return expected.exchanges().containsKey(binding.source())
				&& (expected.queues().containsKey(binding.destination())
						|| expected.exchanges().containsKey(binding.destination()));
	}

	/** One without which there would be no cycle. */
	private static @Nullable BindingSnapshot unexpectedBinding(List<String> cycle, ExpectedTopology expected,
			BrokerSnapshot live) {
		for (BindingSnapshot binding : live.bindings()) {
			boolean ours = expected.exchanges().containsKey(binding.source())
					|| isStore(expected.queues().get(binding.destination()));
			if (ours && !binding.source().isEmpty() && !expected.bindings().contains(binding.model())
					&& !goesRound(cycle, new Routes(without(live, binding)), live)) {
				return binding;
			}
		}
		return null;
	}

	/** Where nobody but us leads messages to, as producers do to a work queue. */
	private static boolean isStore(@Nullable QueueModel queue) {
		return queue != null && !queue.existing() && queue.role() != QueueRole.WORK;
	}

	private static BrokerSnapshot without(BrokerSnapshot live, BindingSnapshot binding) {
		return new BrokerSnapshot(live.virtualHost(), live.url(), live.version(), live.queues(), live.queueCount(),
				live.exchanges(), live.bindings().stream().filter((other) -> !other.equals(binding)).toList(),
				live.allBindings(), live.unreadable(), live.policies(), live.consumers(), live.connections(),
				live.user(), live.alarms(), live.limits(), live.unexamined());
	}

	private static boolean goesRound(List<String> cycle, Routes routes, BrokerSnapshot live) {
		Map<Set<String>, List<String>> cycles = new LinkedHashMap<>();
		follow(new Routes.Stop(cycle.get(0), null), routes, live, new ArrayList<>(), new HashSet<>(), cycles);
		return cycles.containsKey(Set.copyOf(cycle));
	}

}
