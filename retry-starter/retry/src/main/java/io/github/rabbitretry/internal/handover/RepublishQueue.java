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
 * Messages that wait until they are published again, isolated ones apart from the others.
 */
final class RepublishQueue {

	private final DelayQueue<OutboundMessage> together = new DelayQueue<>();

	private final DelayQueue<OutboundMessage> isolated = new DelayQueue<>();

	void add(OutboundMessage message) {
		(message.isolated() ? this.isolated : this.together).add(message);
	}

	void remove(OutboundMessage message) {
		this.together.remove(message);
		this.isolated.remove(message);
	}

	/** The next one that is due and need not be isolated. */
	@Nullable OutboundMessage poll() {
		return this.together.poll();
	}

	/** The next one that is due, an isolated one first. */
	@Nullable OutboundMessage pollAny() {
		OutboundMessage next = this.isolated.poll();
		return (next != null) ? next : this.together.poll();
	}

	boolean hasDue() {
		return hasDue(this.together) || hasIsolatedDue();
	}

	boolean hasIsolatedDue() {
		return hasDue(this.isolated);
	}

	private static boolean hasDue(DelayQueue<OutboundMessage> queue) {
		OutboundMessage next = queue.peek();
		return next != null && next.getDelay(TimeUnit.NANOSECONDS) <= 0;
	}

	Stream<OutboundMessage> stream() {
		return Stream.concat(this.together.stream(), this.isolated.stream());
	}

	/** Ends the wait of all that are not isolated. */
	void dueNow() {
		List<OutboundMessage> now = this.together.stream().filter(this.together::remove).toList();
		now.forEach(OutboundMessage::dueNow);
		this.together.addAll(now);
	}

	/** Takes some out. */
	List<OutboundMessage> take(Predicate<OutboundMessage> which) {
		return stream().filter(which)
			.filter((message) -> this.together.remove(message) || this.isolated.remove(message))
			.toList();
	}

}
