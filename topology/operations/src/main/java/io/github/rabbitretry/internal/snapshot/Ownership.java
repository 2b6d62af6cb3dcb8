/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.snapshot;

import java.time.Duration;

import io.github.rabbitretry.internal.topology.DelayLadder;
import io.github.rabbitretry.internal.topology.DelayLevel;
import io.github.rabbitretry.internal.topology.MessageTopology;
import io.github.rabbitretry.internal.topology.QueueDefinition;
import io.github.rabbitretry.internal.topology.QueueRole;
import org.jspecify.annotations.Nullable;

/**
 * Whether a queue on the broker is certainly ours. Anybody may have declared a queue of
 * our name, so the name alone never says so. The mark is where its own arguments
 * dead-letter to: an exchange and a routing key that only this topology has. Work queues,
 * dead-letter queues and parking lots have no such mark, nor have queues whose arguments
 * come from policies.
 */
public final class Ownership {

	private static final String EXCHANGE = "x-dead-letter-exchange";

	private static final String KEY = "x-dead-letter-routing-key";

	private Ownership() {
	}

	/**
	 * Whether a queue is the one that a policy expects under its name.
	 * @param model the queue as it has to be
	 * @param queue the queue that is there
	 * @return {@code true} if it leads where only our queue leads
	 */
	public static boolean isSure(QueueDefinition model, QueueSnapshot queue) {
		return model.role() == QueueRole.RETRY
				&& leads(queue, model.arguments().get(EXCHANGE), model.arguments().get(KEY));
	}

	/**
	 * Whether a queue is a retry queue of an earlier configuration.
	 * @param topology the topology of the message type
	 * @param queue the queue that is there
	 * @return {@code true} if it has the name of one and the delay of its name, leads
	 * back to the work queue, and loses nothing on that way
	 */
	public static boolean isSure(MessageTopology topology, QueueSnapshot queue) {
		return queue.arguments().get("x-message-ttl") instanceof Number delay && delay.longValue() > 0
				&& queue.name().equals(topology.retryQueue(DelayLevel.ofAtLeast(Duration.ofMillis(delay.longValue()))))
				&& (!queue.type().equals("quorum")
						|| "at-least-once".equals(queue.arguments().get("x-dead-letter-strategy")))
				&& leads(queue, topology.ringExchange(), topology.queue());
	}

	/**
	 * Whether a queue is one that a configuration declared, of any role. Where the queue
	 * itself has no mark, its type's dead-letter exchange does, to which nobody else
	 * binds the ladder's last queue with that key, or a retry or dead-letter queue
	 * declared as only ours are. Queues without arguments are never sure.
	 * @param model the queue as that configuration declares it
	 * @param topology the topology of its message type
	 * @param queue the queue that is there
	 * @param live what the broker has
	 * @return {@code true} if name, arguments and mark are those of our queue
	 */
	public static boolean isSure(QueueDefinition model, MessageTopology topology, QueueSnapshot queue,
			BrokerSnapshot live) {
		if (model.role() == QueueRole.RETRY) {
			return queue.isDeclaredAs(model) && isSure(model, queue);
		}
		return !model.existing() && !model.minimal() && queue.isDeclaredAs(model)
				&& (hasLastQueue(topology, live) || hasMarkedQueue(topology, live));
	}

	private static boolean hasLastQueue(MessageTopology topology, BrokerSnapshot live) {
		return live.bindings()
			.stream()
			.anyMatch((binding) -> binding.source().equals(topology.deadLetterExchange())
					&& binding.destination().equals(DelayLadder.UNROUTABLE)
					&& binding.routingKey().equals(topology.queue() + ".undeliverable"));
	}

	/** Without a ladder, the last queue is bound only when a message needs it. */
	private static boolean hasMarkedQueue(MessageTopology topology, BrokerSnapshot live) {
		return topology.ownQueues()
			.stream()
			.filter((model) -> model.role() == QueueRole.RETRY || model.role() == QueueRole.DEAD_LETTER)
			.filter((model) -> !model.minimal() && live.queues().containsKey(model.name()))
			.anyMatch((model) -> {
				QueueSnapshot queue = live.queues().get(model.name());
				return queue.isDeclaredAs(model)
						&& leads(queue, model.arguments().get(EXCHANGE), model.arguments().get(KEY));
			});
	}

	/** The default exchange leads to any queue, for everybody. */
	private static boolean leads(QueueSnapshot queue, @Nullable Object exchange, @Nullable Object key) {
		if (exchange == null || exchange.toString().isEmpty() || !exchange.equals(queue.arguments().get(EXCHANGE))) {
			return false;
		}
		return (key != null) ? key.equals(queue.arguments().get(KEY))
				: DelayLadder.hasExchange(exchange.toString()) && queue.arguments().get(KEY) == null;
	}

}
