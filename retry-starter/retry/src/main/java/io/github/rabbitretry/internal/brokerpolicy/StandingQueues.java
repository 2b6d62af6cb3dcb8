/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.brokerpolicy;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import io.github.rabbitretry.internal.topology.QueueDefinition;
import io.github.rabbitretry.internal.topology.QueueRole;

/**
 * Retry queues that nothing seems to leave. A message that came in while no policy gave
 * it a time to live, be it for a second, stands at the head for ever, and all others
 * behind it. The broker does not report how old it is. But where messages leave, there
 * are fewer than before now and then.
 */
final class StandingQueues {

	/** Messages come and go in any case within it. */
	private static final long MARGIN = TimeUnit.MINUTES.toNanos(3);

	private final Map<String, Long> delays = new HashMap<>();

	private final Map<String, Standing> standing = new HashMap<>();

	private final LongSupplier nanoTime;

	/**
	 * Creates it.
	 * @param queues queues with minimal arguments
	 * @param nanoTime the time in nanoseconds
	 */
	StandingQueues(Collection<QueueDefinition> queues, LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
		queues.stream().filter((queue) -> queue.role() == QueueRole.RETRY).forEach((queue) -> {
			if (queue.arguments().get("x-message-ttl") instanceof Number delay) {
				this.delays.put(queue.name(), TimeUnit.MILLISECONDS.toNanos(delay.longValue()));
			}
		});
	}

	Set<String> queues() {
		return this.delays.keySet();
	}

	/**
	 * Takes note. Of a queue that is not among them, what was seen before is forgotten.
	 * @param ready how many messages are ready, by queue
	 * @return the queues that have only become fuller for longer than their delay, each
	 * once
	 */
	List<String> found(Map<String, Long> ready) {
		long now = this.nanoTime.getAsLong();
		this.standing.keySet().retainAll(ready.keySet());
		return this.delays.keySet()
			.stream()
			.filter(ready::containsKey)
			.filter((queue) -> isNew(queue, ready.get(queue), now))
			.sorted()
			.toList();
	}

	private boolean isNew(String queue, long ready, long now) {
		Standing before = this.standing.get(queue);
		if (ready == 0 || before == null || ready < before.ready) {
			this.standing.put(queue, new Standing(ready, now, false));
			return false;
		}
		boolean stands = ready > 0 && before.ready > 0 && now - before.since > this.delays.get(queue) + MARGIN;
		this.standing.put(queue,
				new Standing(ready, (before.ready > 0) ? before.since : now, before.reported || stands));
		return stands && !before.reported;
	}

	private record Standing(long ready, long since, boolean reported) {
	}

}
