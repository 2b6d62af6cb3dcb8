/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks.throughput;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import com.rabbitmq.client.Channel;
import io.github.rabbitretry.internal.topology.BindingDefinition;
import io.github.rabbitretry.internal.topology.ExchangeDefinition;
import io.github.rabbitretry.internal.topology.MessageTopology;

import org.springframework.amqp.core.Binding.DestinationType;

/**
 * A work queue, and where its messages are to go. All queues are quorum queues, and
 * dead-letter at least once.
 *
 * @param work the work queue
 * @param targetExchange where copies are published to
 * @param target the queue where messages end up, and its routing key
 * @param exchanges all exchanges
 * @param queues all queues and their arguments
 * @param bindings all bindings
 */
record Layout(String work, String targetExchange, String target, List<ExchangeDefinition> exchanges,
		Map<String, Map<String, Object>> queues, List<BindingDefinition> bindings) {

	/** Longer than any measurement: nothing comes back. */
	static final Duration DELAY = Duration.ofHours(1);

	/** Ours: copies wait in a retry queue. */
	static Layout retrying(String work) {
		MessageTopology topology = topology(work);
		return of(topology, topology.ringExchange(), topology.retryQueue(topology.levels().get(0)));
	}

	/** Ours, of which the dead-letter queue is used. */
	static Layout deadLettering(String work) {
		MessageTopology topology = topology(work);
		return of(topology, topology.deadLetterExchange(), topology.deadLetterQueue());
	}

	/** Two queues that dead-letter into each other, the waiting one after a time. */
	static Layout rejecting(String work) {
		String waiting = work + ".waiting";
		return new Layout(work, "", waiting, List.of(), Map.of(work, quorum(deadLetteredTo(waiting)), waiting,
				quorum(with(deadLetteredTo(work), "x-message-ttl", DELAY.toMillis()))), List.of());
	}

	/** RabbitMQ 4.3 keeps what comes back from delivery again. */
	static Layout delaying(String work) {
		return new Layout(work, "", work, List.of(),
				Map.of(work, quorum(Map.of("x-delayed-retry-type", "all", "x-delayed-retry-min", DELAY.toMillis()))),
				List.of());
	}

	private static MessageTopology topology(String work) {
		return MessageTopology.of(work).delays(List.of(DELAY)).build();
	}

	private static Layout of(MessageTopology topology, String targetExchange, String target) {
		Map<String, Map<String, Object>> queues = new HashMap<>();
		topology.queues().forEach((queue) -> queues.put(queue.name(), queue.arguments()));
		return new Layout(topology.queue(), targetExchange, target, topology.exchanges(), queues, topology.bindings());
	}

	private static Map<String, Object> deadLetteredTo(String queue) {
		return Map.of("x-dead-letter-exchange", "", "x-dead-letter-routing-key", queue, "x-dead-letter-strategy",
				"at-least-once", "x-overflow", "reject-publish");
	}

	private static Map<String, Object> quorum(Map<String, Object> arguments) {
		return with(arguments, "x-queue-type", "quorum");
	}

	private static Map<String, Object> with(Map<String, Object> arguments, String argument, Object value) {
		Map<String, Object> more = new HashMap<>(arguments);
		more.put(argument, value);
		return more;
	}

	void declare(Channel channel) throws IOException {
		for (ExchangeDefinition exchange : this.exchanges) {
			channel.exchangeDeclare(exchange.name(), exchange.type(), true, false, exchange.arguments());
		}
		for (Map.Entry<String, Map<String, Object>> queue : this.queues.entrySet()) {
			channel.queueDeclare(queue.getKey(), true, false, false, queue.getValue());
		}
		for (BindingDefinition binding : this.bindings) {
			if (binding.type() == DestinationType.QUEUE) {
				channel.queueBind(binding.destination(), binding.exchange(), binding.routingKey());
			}
			else {
				channel.exchangeBind(binding.destination(), binding.exchange(), binding.routingKey());
			}
		}
	}

	void delete(Channel channel) throws IOException {
		for (String queue : this.queues.keySet()) {
			channel.queueDelete(queue);
		}
		for (ExchangeDefinition exchange : this.exchanges) {
			channel.exchangeDelete(exchange.name());
		}
	}

}
