/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.doctor;

import java.time.Duration;
import java.util.regex.Pattern;

import io.github.rabbitretry.internal.snapshot.QueueSnapshot;
import io.github.rabbitretry.internal.topology.DelayLadder;
import io.github.rabbitretry.internal.topology.DelayLevel;
import io.github.rabbitretry.internal.topology.FormerQueue;
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
final class Ownership {

	private static final String EXCHANGE = "x-dead-letter-exchange";

	private static final String KEY = "x-dead-letter-routing-key";

	/** As this version or an earlier one calls queues, after the work queue's name. */
	private static final Pattern NAMES = Pattern
		.compile("retry\\.(\\d+(ms|s|m|h|d)|return)|delay\\.\\d+(ms|s|m|h|d)|undeliverable|dlq|parking-lot|quarantine");

	private Ownership() {
	}

	/**
	 * Whether a queue is the one that a policy expects under its name.
	 * @param model the queue as it has to be
	 * @param queue the queue that is there
	 * @return {@code true} if it leads where only our queue leads
	 */
	static boolean isSure(QueueDefinition model, QueueSnapshot queue) {
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
	static boolean isSure(MessageTopology topology, QueueSnapshot queue) {
		return queue.arguments().get("x-message-ttl") instanceof Number delay && delay.longValue() > 0
				&& queue.name().equals(topology.retryQueue(DelayLevel.ofAtLeast(Duration.ofMillis(delay.longValue()))))
				&& (!queue.type().equals("quorum")
						|| "at-least-once".equals(queue.arguments().get("x-dead-letter-strategy")))
				&& leads(queue, topology.ringExchange(), topology.queue());
	}

	/**
	 * Whether a queue is a work queue, or has a name of ours that begins with its.
	 * @param workQueue the work queue
	 * @param queue the queue's name
	 * @return {@code true} also for names that earlier versions gave
	 */
	static boolean hasNameOf(String workQueue, String queue) {
		return queue.equals(workQueue) || queue.startsWith(workQueue + ".")
				&& NAMES.matcher(queue.substring(workQueue.length() + 1)).matches();
	}

	/**
	 * Whether a queue of another work queue is declared as ours are.
	 * @param workQueue the work queue that its name begins with
	 * @param queue the queue that is there
	 * @return {@code true} if its arguments are those of a policy's queue, which alone is
	 * too little to print a command
	 */
	static boolean isLikely(FormerQueue workQueue, QueueSnapshot queue) {
		Object exchange = queue.arguments().get(EXCHANGE);
		if (exchange != null) {
			return exchange.equals(workQueue.ringExchange()) && workQueue.queue().equals(queue.arguments().get(KEY))
					|| exchange.equals(workQueue.deadLetterExchange());
		}
		return queue.name().equals(workQueue.queue() + ".parking-lot")
				&& "reject-publish".equals(queue.arguments().get("x-overflow"));
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
