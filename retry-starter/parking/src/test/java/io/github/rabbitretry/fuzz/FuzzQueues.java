/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.fuzz;

import java.util.Map;
import java.util.TreeMap;

import io.github.rabbitretry.broker.Broker;
import io.github.rabbitretry.internal.topology.DelayLadder;

/**
 * Queues as the broker lists them.
 */
final class FuzzQueues {

	private final Broker broker;

	private final String prefix;

	FuzzQueues(Broker broker, String prefix) {
		this.broker = broker;
		this.prefix = prefix;
	}

	/** All messages of each queue, delivered and hidden ones too. */
	Map<String, Integer> messages() {
		return listed("messages");
	}

	Map<String, Integer> consumers() {
		return listed("consumers");
	}

	private Map<String, Integer> listed(String what) {
		Map<String, Integer> listed = new TreeMap<>();
		this.broker.ctl("-q", "--no-table-headers", "list_queues", "name", what)
			.lines()
			.map((line) -> line.split("\t"))
			.filter((columns) -> columns.length == 2
					&& (columns[0].startsWith(this.prefix) || columns[0].startsWith(DelayLadder.NAME)))
			.forEach((columns) -> listed.put(columns[0], Integer.parseInt(columns[1].strip())));
		return listed;
	}

}
