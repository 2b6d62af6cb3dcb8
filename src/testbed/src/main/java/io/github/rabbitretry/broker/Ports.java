/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.broker;

import java.util.List;
import java.util.stream.IntStream;

import io.github.rabbitretry.provision.LoopbackPorts;

/**
 * The ports of a node.
 */
record Ports(int amqp, int distribution, int management, int prometheus, int epmd) {

	static Ports choose() {
		return choose(1).get(0);
	}

	/** The ports of nodes that share one epmd. */
	static List<Ports> choose(int nodes) {
		int[] ports = LoopbackPorts.free(1 + 4 * nodes);
		return IntStream.range(0, nodes)
			.map((node) -> 1 + 4 * node)
			.mapToObj(
					(first) -> new Ports(ports[first], ports[first + 1], ports[first + 2], ports[first + 3], ports[0]))
			.toList();
	}

}
