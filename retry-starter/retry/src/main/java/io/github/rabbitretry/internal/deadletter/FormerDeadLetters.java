/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.deadletter;

import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

import io.github.rabbitretry.internal.connection.QueueLookup;

import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.listener.DirectMessageListenerContainer;

/**
 * The dead-letter queues of former work queues. They are never declared, and one that is
 * missing is looked for again: an instance of before may still declare it.
 */
final class FormerDeadLetters {

	/** Each look at a queue that does not exist is an error in the broker's log. */
	private static final long LOOK_AGAIN = TimeUnit.SECONDS.toNanos(30);

	private final ConnectionFactory connectionFactory;

	private final Collection<String> all;

	private final Set<String> existing = ConcurrentHashMap.newKeySet();

	private final Set<String> refused = ConcurrentHashMap.newKeySet();

	private volatile long lookAt = System.nanoTime();

	FormerDeadLetters(ConnectionFactory connectionFactory, Collection<String> all) {
		this.connectionFactory = connectionFactory;
		this.all = all;
	}

	boolean due() {
		return !this.all.isEmpty() && System.nanoTime() - this.lookAt > 0;
	}

	/** Those that existed, and could be consumed, when they were looked for last. */
	Set<String> existing() {
		return this.existing;
	}

	/** Those that may not be read. */
	Set<String> refused() {
		return this.refused;
	}

	void refused(String queue) {
		if (this.all.contains(queue) && this.refused.add(queue)) {
			this.lookAt = System.nanoTime();
		}
	}

	/** Looks for them, and may wait for the broker. */
	void look() {
		this.lookAt = System.nanoTime() + LOOK_AGAIN;
		this.refused.removeIf((queue) -> QueueLookup.mayRead(this.connectionFactory, queue));
		for (String queue : this.all) {
			if (!this.refused.contains(queue) && QueueLookup.depth(this.connectionFactory, queue).isPresent()) {
				this.existing.add(queue);
			}
			else {
				this.existing.remove(queue);
			}
		}
	}

	/** Has those consumed that exist, and no others: one that is gone would be logged. */
	static void follow(DirectMessageListenerContainer container, Set<String> wanted) {
		Set<String> consumed = Set.of(container.getQueueNames());
		wanted.stream().filter((queue) -> !consumed.contains(queue)).forEach(container::addQueueNames);
		consumed.stream().filter((queue) -> !wanted.contains(queue)).forEach(container::removeQueueNames);
	}

}
