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

import io.github.rabbitretry.internal.snapshot.BrokerSnapshot;
import io.github.rabbitretry.internal.snapshot.ExpectedTopology;
import io.github.rabbitretry.internal.snapshot.QueueSnapshot;
import io.github.rabbitretry.internal.topology.QueueDefinition;

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
		for (QueueDefinition model : expected.parts().queues()) {
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
		if (cycle.stream().map(expected.queues()::get).allMatch((model) -> model == null || model.existing())) {
			return FindingCode.ROUTING_CYCLE.of(cycle.get(0), fact,
					"Retries of the queue's owner go round like that, and RabbitMQ drops none that was rejected on its way. Remove that ring once the policy has taken over, see migrating an existing service.",
					List.of(live.commands().ctl("list_queues", "name", "arguments", "effective_policy_definition")))
				.affecting(cycle)
				.with(Severity.INFO);
		}
		return FindingCode.ROUTING_CYCLE.of(cycle.get(0), fact,
				"See the other findings about these queues: remove a binding that no policy expects, or change the dead-letter exchange of one of them, which its arguments or a policy sets.",
				List.of(live.commands().ctl("list_bindings"),
						live.commands().ctl("list_queues", "name", "arguments", "effective_policy_definition")))
			.affecting(cycle);
	}

}
