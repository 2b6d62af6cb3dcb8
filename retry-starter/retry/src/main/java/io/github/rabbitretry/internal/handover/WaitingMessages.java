/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.handover;

import java.util.List;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * Messages that wait to be published, the first that is due at the head.
 */
final class WaitingMessages {

	private final DelayQueue<OutboundMessage> queue = new DelayQueue<>();

	void add(OutboundMessage message) {
		this.queue.add(message);
	}

	void remove(OutboundMessage message) {
		this.queue.remove(message);
	}

	/** The next one that is due. */
	@Nullable OutboundMessage poll() {
		return this.queue.poll();
	}

	boolean hasDue() {
		OutboundMessage next = this.queue.peek();
		return next != null && next.getDelay(TimeUnit.NANOSECONDS) <= 0;
	}

	boolean isEmpty() {
		return this.queue.isEmpty();
	}

	Stream<OutboundMessage> stream() {
		return this.queue.stream();
	}

	/** Ends the wait of some. */
	void dueNow(Predicate<OutboundMessage> which) {
		List<OutboundMessage> now = take(which);
		now.forEach(OutboundMessage::dueNow);
		this.queue.addAll(now);
	}

	/** Takes some out. */
	List<OutboundMessage> take(Predicate<OutboundMessage> which) {
		return this.queue.stream().filter(which).filter(this.queue::remove).toList();
	}

}
