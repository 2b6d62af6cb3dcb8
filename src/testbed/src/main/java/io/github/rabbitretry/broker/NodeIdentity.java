/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.broker;

import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Who a node is.
 *
 * @param name the Erlang node's name
 * @param cookie what nodes and tools know each other by
 * @param ports its ports
 * @param startsEpmd whether the node's supervisor starts the epmd on its port; one node
 * of a cluster does
 * @param configuration what follows in {@code rabbitmq.conf}
 */
record NodeIdentity(String name, String cookie, Ports ports, boolean startsEpmd, String configuration) {

	static NodeIdentity single() {
		return new NodeIdentity(prefix() + "@localhost", newCookie(), Ports.choose(), true, "");
	}

	static List<NodeIdentity> cluster(int nodes) {
		String prefix = prefix();
		String cookie = newCookie();
		List<String> names = IntStream.rangeClosed(1, nodes)
			.mapToObj((node) -> "%s-%s@localhost".formatted(prefix, node))
			.toList();
		// without it a partitioned minority of an old store goes on by itself
		String configuration = IntStream.range(0, nodes)
			.mapToObj((node) -> "cluster_formation.classic_config.nodes.%s = %s%n".formatted(node + 1, names.get(node)))
			.collect(Collectors.joining("", "cluster_formation.peer_discovery_backend = classic_config\n",
					"cluster_partition_handling = pause_minority\n"));
		List<Ports> ports = Ports.choose(nodes);
		return IntStream.range(0, nodes)
			.mapToObj((node) -> new NodeIdentity(names.get(node), cookie, ports.get(node), node == 0, configuration))
			.toList();
	}

	private static String prefix() {
		return "rr-" + UUID.randomUUID().toString().substring(0, 8);
	}

	private static String newCookie() {
		return UUID.randomUUID().toString().replace("-", "").toUpperCase(Locale.ROOT);
	}

}
