/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.migration;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.rabbitretry.internal.topology.DelayLadder;
import io.github.rabbitretry.internal.topology.DelayLevel;

/**
 * The ladder of the first version, for one message type or shared: <pre>
 * P            topic exchange: into the queue of the first level
 * P.&lt;level&gt;    queue, and topic exchange: into it, or past it to the next exchange
 * P.delivery   topic exchange: to work queues
 * </pre>
 *
 * @param prefix what its names begin with
 */
record EarlierLadder(String prefix) {

	/** The prefix of the one that services shared. */
	static final String SHARED = "rabbit-retry.delay";

	private static final int LEVELS = 22;

	String delivery() {
		return this.prefix + ".delivery";
	}

	/** Its queues, the shortest delay first, with the arguments of both types. */
	Map<String, List<Map<String, Object>>> queues() {
		Map<String, List<Map<String, Object>>> queues = new LinkedHashMap<>();
		for (int level = 0; level < LEVELS; level++) {
			Map<String, Object> classic = Map.of("x-queue-type", "classic", "x-overflow", "reject-publish",
					"x-dead-letter-exchange", exchange(level - 1), "x-message-ttl", delay(level).toMillis());
			Map<String, Object> quorum = new LinkedHashMap<>(classic);
			quorum.put("x-queue-type", "quorum");
			quorum.put("x-dead-letter-strategy", "at-least-once");
			queues.put(exchange(level), List.of(quorum, classic));
		}
		return queues;
	}

	/** Its exchanges; each leads to those before it. */
	List<String> exchanges() {
		List<String> exchanges = new ArrayList<>();
		for (int level = -1; level < LEVELS; level++) {
			exchanges.add(exchange(level));
		}
		exchanges.add(this.prefix);
		return exchanges;
	}

	private String exchange(int level) {
		return (level < 0) ? delivery() : this.prefix + "." + new DelayLevel(delay(level)).label();
	}

	private static Duration delay(int level) {
		// planned with often, and multiplying durations takes decimals
		return Duration.ofMillis(DelayLadder.UNIT.toMillis() << level);
	}

}
