/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.ingestion;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * What was delivered and is not stored yet, bounded by bytes.
 */
final class IngestionBuffer {

	private final long capacity;

	private final Deque<ParkedDelivery> waiting = new ArrayDeque<>();

	private long waitingBytes;

	/** Of what waits and of what was taken and is not released. */
	private long bytes;

	IngestionBuffer(long capacity) {
		this.capacity = capacity;
	}

	/**
	 * Adds a delivery if there is room. An empty buffer has room for any.
	 * @return {@code false} if it was not added
	 */
	synchronized boolean offer(ParkedDelivery delivery) {
		long size = delivery.bytes();
		if (this.bytes > 0 && this.bytes + size > this.capacity) {
			return false;
		}
		this.waiting.add(delivery);
		this.waitingBytes += size;
		this.bytes += size;
		notifyAll();
		return true;
	}

	/**
	 * Takes what is there, the oldest first, after waiting until it is enough.
	 * @param most how many at most
	 * @param mostBytes how many bytes, the last delivery aside
	 * @param patience how long to wait for the first, and for a batch to become full
	 * @return the deliveries, perhaps none; to be released
	 */
	synchronized List<ParkedDelivery> take(int most, long mostBytes, Duration patience) throws InterruptedException {
		long deadline = System.nanoTime() + patience.toNanos();
		while (this.waiting.size() < most && this.waitingBytes < mostBytes) {
			long left = (deadline - System.nanoTime()) / 1_000_000;
			if (left <= 0) {
				break;
			}
			wait(left);
		}
		List<ParkedDelivery> taken = new ArrayList<>();
		long takenBytes = 0;
		while (!this.waiting.isEmpty() && taken.size() < most && takenBytes < mostBytes) {
			ParkedDelivery next = this.waiting.remove();
			takenBytes += next.bytes();
			taken.add(next);
		}
		this.waitingBytes -= takenBytes;
		return taken;
	}

	/** Makes room again. */
	synchronized void release(List<ParkedDelivery> taken) {
		taken.forEach((delivery) -> this.bytes -= delivery.bytes());
	}

	/** Whether at least half of it is free. */
	synchronized boolean roomy() {
		return this.bytes <= this.capacity / 2;
	}

	long capacity() {
		return this.capacity;
	}

}
