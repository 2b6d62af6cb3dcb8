/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.brokerpolicy;

import java.util.Map;
import java.util.Set;

import io.github.rabbitretry.internal.management.NameRegex;
import io.github.rabbitretry.internal.topology.QueueType;

/**
 * A policy as the broker has it.
 *
 * @param name its name
 * @param operator whether it is an operator policy
 * @param pattern what the names that it applies to match
 * @param applyTo the kind of things it applies to, as the broker calls it
 * @param priority of several that match, the one with the highest applies
 * @param definition its keys and their values
 */
public record BrokerPolicy(String name, boolean operator, NameRegex pattern, String applyTo, long priority,
		Map<String, Object> definition) {

	/** A policy with one of these keys is not applied to a quorum queue at all. */
	private static final Set<String> NOT_FOR_QUORUM = Set.of("max-priority", "queue-mode", "queue-master-locator",
			"ha-mode", "ha-params", "ha-sync-mode", "ha-promote-on-shutdown", "ha-promote-on-failure", "max-age",
			"stream-max-segment-size-bytes", "initial-cluster-size");

	/** A policy with one of these keys is not applied to a classic queue at all. */
	private static final Set<String> NOT_FOR_CLASSIC = Set.of("delivery-limit", "dead-letter-strategy",
			"max-in-memory-length", "max-in-memory-bytes", "target-group-size", "max-age",
			"stream-max-segment-size-bytes", "initial-cluster-size");

	boolean appliesToQueue(String queue, QueueType type) {
		String ofType = (type == QueueType.QUORUM) ? "quorum_queues" : "classic_queues";
		Set<String> unsupported = (type == QueueType.QUORUM) ? NOT_FOR_QUORUM : NOT_FOR_CLASSIC;
		return (this.applyTo.equals("all") || this.applyTo.equals("queues") || this.applyTo.equals(ofType))
				&& this.definition.keySet().stream().noneMatch(unsupported::contains) && this.pattern.matches(queue);
	}

	boolean appliesToExchange(String exchange) {
		return (this.applyTo.equals("all") || this.applyTo.equals("exchanges")) && this.pattern.matches(exchange);
	}

	/**
	 * The policy in words.
	 * @return its kind and name
	 */
	public String description() {
		return "%s '%s'".formatted(this.operator ? "operator policy" : "policy", this.name);
	}

}
