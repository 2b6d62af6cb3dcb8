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
import java.util.stream.Stream;

/**
 * Checks that a topology can work: that the broker takes its names, that each stands for
 * one thing, and that no setting is without effect.
 *
 * @param topology the topology
 * @param given what it is built of
 */
record TopologyValidator(MessageTopology topology, MessageTopologyBuilder given) {

	/**
	 * A refusal quotes the name, and RabbitMQ 4.3.6 cuts its text at 255 characters where
	 * the protocol allows for 255 bytes: then it ends the connection with 541, at each
	 * attempt.
	 */
	private static final int LONGEST_NON_ASCII_NAME = 128;

	/** The broker's limit for names and routing keys, in bytes. */
	private static final int LONGEST_KEY = 255;

	void check() {
		settings();
		String prefix = this.given.names.retryPrefix();
		if (this.topology.ring() == RetryQueueScope.SHARED && prefix != null) {
			throw new InvalidConfigurationException("names.retry-prefix", prefix,
					"names nothing where the ring is shared", "Remove it, or use a ring per type.");
		}
		names();
	}

	private void settings() {
		if (this.given.deliveryLimit < 1) {
			throw new InvalidConfigurationException("delivery-limit", this.given.deliveryLimit, "must be 1 or more",
					"Use 5, the default, unless handling a message is known to kill its process.");
		}
		String rejections = this.given.rejectionExchange;
		if (rejections != null && (rejections.equals(this.topology.deadLetterExchange())
				|| this.topology.isRingExchange(rejections))) {
			throw new InvalidConfigurationException("rejection.exchange", rejections,
					"is a direct exchange of the topology already", "Give events an exchange of their own.");
		}
		if (this.given.exchange != null && this.topology.hasExistingQueue()) {
			throw new InvalidConfigurationException("exchange", this.given.exchange,
					"would be declared and bound, but work-queue existing leaves the queue's bindings as they are",
					"Remove exchange and routing-keys: the queue keeps its bindings.");
		}
		if (this.given.exchange == null && !this.given.routingKeys.isEmpty()) {
			throw new InvalidConfigurationException("routing-keys", this.given.routingKeys,
					"needs an exchange to bind to", "Set exchange too, or remove routing-keys.");
		}
		if (this.topology.ring() == RetryQueueScope.PER_TYPE
				&& this.topology.levels().size() < this.given.delays.size()) {
			throw new InvalidConfigurationException("delay", this.given.delays, "must not be given twice",
					"Remove one of the two.");
		}
	}

	private void names() {
		// before the names that are derived from it
		valid("queue", this.topology.queue());
		TopologyParts own = this.topology.ownParts();
		distinct("queue", own.queues().stream().map(QueueDefinition::name).toList());
		distinct("exchange", own.exchanges().stream().map(ExchangeDefinition::name).toList());
		own.queues().forEach((model) -> quotable("queue", model.name()));
		own.exchanges().forEach((model) -> quotable("exchange", model.name()));
		if (this.topology.hasLadder()) {
			Stream
				.concat(Stream.of(this.topology.queue(), this.topology.endOfLadder()),
						this.topology.levels().stream().map(this.topology::retryQueue))
				.forEach(TopologyValidator::literal);
		}
		for (BindingDefinition model : own.bindings()) {
			if (bytes(model.routingKey()) > LONGEST_KEY) {
				throw new InvalidConfigurationException("routing-keys", model.routingKey(),
						"must be at most %s bytes".formatted(LONGEST_KEY), "Shorten it.");
			}
		}
	}

	/** The ladder's routing keys end with it, and there these words mean any word. */
	private static void literal(String queue) {
		for (String word : queue.split("\\.", -1)) {
			if (word.equals("*") || word.equals("#")) {
				throw new InvalidConfigurationException("queue", queue,
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
				throw new InvalidConfigurationException(setting, name, "has two roles in one topology",
						"Give each role a name of its own.");
			}
		}
	}

	private void valid(String setting, String name) {
		if (name.isBlank()) {
			throw new InvalidConfigurationException(setting, name, "must not be blank", "Give it a name.");
		}
		if (bytes(name) > MessageTopology.LONGEST_NAME) {
			throw new InvalidConfigurationException(setting, name,
					"must be at most %s bytes, not %s".formatted(MessageTopology.LONGEST_NAME, bytes(name)),
					"Shorten it, or the name of queue '%s' that it is derived from, or name the derived one yourself."
						.formatted(this.topology.queue()));
		}
		if (name.chars().anyMatch(Character::isISOControl)) {
			throw new InvalidConfigurationException(setting, name, "must not have control characters",
					"Remove them; a name in quotes may have a tab or a line break in it.");
		}
		if (name.startsWith("amq.")) {
			throw new InvalidConfigurationException(setting, name, "must not start with 'amq.'",
					"Those names belong to the broker.");
		}
		if (DelayLadder.hasExchange(name)) {
			throw new InvalidConfigurationException(setting, name, "must not start with '" + DelayLadder.NAME + "'",
					"Those names belong to the delays that all services share.");
		}
	}

	private static void quotable(String setting, String name) {
		if (bytes(name) > LONGEST_NON_ASCII_NAME && bytes(name) > name.length()) {
			throw new InvalidConfigurationException(setting, name,
					"must be at most %s bytes, not %s, since it has other characters than ASCII"
						.formatted(LONGEST_NON_ASCII_NAME, bytes(name)),
					"Shorten it: RabbitMQ ends the connection when a refusal quotes it.");
		}
	}

	private static int bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8).length;
	}

}
