/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.topology;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Checks that the broker takes a topology's names, and that each stands for one thing.
 */
final class NameCheck {

	/** The broker's limit for names and routing keys. */
	private static final int LONGEST_KEY = 255;

	/** Leaves room for the levels. */
	private static final int LONGEST_PREFIX = 180;

	private final MessageTopology topology;

	NameCheck(MessageTopology topology) {
		this.topology = topology;
	}

	void check() {
		// before the names that are derived from it
		valid("queue", this.topology.queue());
		distinct("queue", this.topology.queues().stream().map(QueueModel::name).toList());
		distinct("exchange", this.topology.exchanges().stream().map(ExchangeModel::name).toList());
		if (this.topology.ladder().isPresent()) {
			literal(this.topology.queue());
		}
		for (BindingModel model : this.topology.bindings()) {
			if (bytes(model.routingKey()) > LONGEST_KEY) {
				throw new InvalidTopologyException("routing-keys", model.routingKey(),
						"must be at most %d bytes".formatted(LONGEST_KEY), "Shorten it.");
			}
		}
	}

	static void sharedRingPrefix(String prefix) {
		if (prefix.isBlank() || bytes(prefix) > LONGEST_PREFIX || prefix.startsWith("amq.")) {
			throw new InvalidTopologyException("shared-ring-prefix", prefix,
					"must be from 1 to %d bytes and not start with 'amq.'".formatted(LONGEST_PREFIX),
					"Use '%s', the default, or another name that all services which share the ring agree on."
						.formatted(DelayLadder.SHARED_PREFIX));
		}
	}

	/** The ladder's routing keys end with it, and there these words mean any word. */
	private static void literal(String queue) {
		for (String word : queue.split("\\.", -1)) {
			if (word.equals("*") || word.equals("#")) {
				throw new InvalidTopologyException("queue", queue,
						"must not have '%s' between its dots".formatted(word),
						"Rename it: in the bindings of delays it would stand for any word.");
			}
		}
	}

	private void distinct(String setting, List<String> names) {
		Set<String> taken = new HashSet<>();
		for (String name : names) {
			valid(setting, name);
			if (!taken.add(name)) {
				throw new InvalidTopologyException(setting, name, "has two roles in one topology",
						"Give each role a name of its own.");
			}
		}
	}

	private void valid(String setting, String name) {
		if (name.isBlank()) {
			throw new InvalidTopologyException(setting, name, "must not be blank", "Give it a name.");
		}
		if (bytes(name) > MessageTopology.LONGEST_NAME) {
			throw new InvalidTopologyException(setting, name,
					"must be at most %d bytes, not %d".formatted(MessageTopology.LONGEST_NAME, bytes(name)),
					"Shorten it, or the name of queue '%s' that it is derived from, or name the derived one yourself."
						.formatted(this.topology.queue()));
		}
		if (name.chars().anyMatch(Character::isISOControl)) {
			throw new InvalidTopologyException(setting, name, "must not have control characters",
					"Remove them; a name in quotes may have a tab or a line break in it.");
		}
		if (name.startsWith("amq.")) {
			throw new InvalidTopologyException(setting, name, "must not start with 'amq.'",
					"Those names belong to the broker.");
		}
	}

	private static int bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8).length;
	}

}
