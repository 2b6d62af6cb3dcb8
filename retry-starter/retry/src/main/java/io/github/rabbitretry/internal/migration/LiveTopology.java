/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.migration;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

import io.github.rabbitretry.internal.management.UnreadableBinding;

/**
 * What is on the broker, in one virtual host.
 *
 * @param queues the queues by name
 * @param exchanges the exchanges by name
 * @param routes the bindings, but for those of the default exchange
 * @param unreadable bindings that the management API can't describe
 * @param namedByPolicies exchanges that a policy dead-letters to, or has as alternate
 * ones
 */
record LiveTopology(Map<String, SeenQueue> queues, Map<String, SeenExchange> exchanges, Set<Route> routes,
		List<UnreadableBinding> unreadable, Set<String> namedByPolicies) {

	static LiveTopology of(Collection<SeenQueue> queues, Collection<SeenExchange> exchanges, Collection<Route> routes,
			List<UnreadableBinding> unreadable, Collection<String> namedByPolicies) {
		return new LiveTopology(
				new TreeMap<>(queues.stream().collect(Collectors.toMap(SeenQueue::name, (queue) -> queue))),
				new TreeMap<>(exchanges.stream().collect(Collectors.toMap(SeenExchange::name, (one) -> one))),
				new LinkedHashSet<>(routes), List.copyOf(unreadable), Set.copyOf(namedByPolicies));
	}

}
