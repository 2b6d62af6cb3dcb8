/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.deduplication;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import io.github.rabbitretry.deduplication.MessageDeduplicator;

/**
 * Remembers the handled messages of one policy in this process: those handled last, as
 * many and for as long as configured. Nothing is known of what other processes handled,
 * or what was handled before this one started.
 */
final class InMemoryDeduplicator implements MessageDeduplicator {

	private final long retention;

	private final int maxMessages;

	private final Duration patience;

	private final LongSupplier nanoTime;

	private final Map<String, CountDownLatch> underWay = new ConcurrentHashMap<>();

	/** In the order in which they were handled. Guarded by itself. */
	private final Map<String, Long> handledAt = new LinkedHashMap<>();

	InMemoryDeduplicator(Duration retention, int maxMessages, Duration patience, LongSupplier nanoTime) {
		this.retention = retention.toNanos();
		this.maxMessages = maxMessages;
		this.patience = patience;
		this.nanoTime = nanoTime;
	}

	@Override
	public boolean handle(String queue, String messageId, HandlerCall handler) throws Throwable {
		CountDownLatch ended = begin(messageId);
		try {
			if (handled(messageId)) {
				return false;
			}
			handler.run();
			remember(messageId);
			return true;
		}
		catch (Throwable ex) {
			if (HandlerEnd.of(ex) == HandlerEnd.DONE) {
				remember(messageId);
			}
			throw ex;
		}
		finally {
			this.underWay.remove(messageId);
			ended.countDown();
		}
	}

	/** The same message may be delivered again while it is handled. */
	private CountDownLatch begin(String messageId) throws InterruptedException {
		CountDownLatch mine = new CountDownLatch(1);
		long deadline = System.nanoTime() + this.patience.toNanos();
		CountDownLatch other = this.underWay.putIfAbsent(messageId, mine);
		while (other != null) {
			if (!other.await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
				throw new MessageInProgressException();
			}
			other = this.underWay.putIfAbsent(messageId, mine);
		}
		return mine;
	}

	private boolean handled(String messageId) {
		synchronized (this.handledAt) {
			Long at = this.handledAt.get(messageId);
			return at != null && this.nanoTime.getAsLong() - at < this.retention;
		}
	}

	private void remember(String messageId) {
		long now = this.nanoTime.getAsLong();
		synchronized (this.handledAt) {
			// one that is too old to count stands where it does not belong
			this.handledAt.remove(messageId);
			this.handledAt.put(messageId, now);
			Iterator<Long> oldest = this.handledAt.values().iterator();
			while (oldest.hasNext() && (now - oldest.next() >= this.retention || tooMany())) {
				oldest.remove();
			}
		}
	}

	private boolean tooMany() {
		return this.handledAt.size() > this.maxMessages;
	}

}
