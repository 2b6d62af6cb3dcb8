/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.chaos;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import io.github.rabbitretry.internal.parking.ledger.Parking;
import io.github.rabbitretry.it.TestBroker;
import org.awaitility.Awaitility;

/**
 * Parks numbered messages, 1 first, as an application would have. The next one follows
 * once the broker has confirmed the last.
 */
final class ParkedProducer implements AutoCloseable {

	private static final long BETWEEN = TimeUnit.SECONDS.toNanos(1) / 60;

	private final TestBroker broker = TestBroker.connect();

	private final Thread thread = new Thread(this::run, "parked producer");

	private final AtomicInteger burst = new AtomicInteger();

	private final String parkingLot;

	private volatile int confirmed;

	private volatile boolean closed;

	ParkedProducer(String parkingLot) {
		this.parkingLot = parkingLot;
		this.thread.setDaemon(true);
		this.thread.start();
	}

	/** The number of the last message that the broker has confirmed. */
	int confirmed() {
		return this.confirmed;
	}

	/** So many messages come as fast as they can. */
	void burst(int messages) {
		this.burst.set(messages);
	}

	private void run() {
		while (!this.closed) {
			int number = this.confirmed + 1;
			this.broker.send(this.parkingLot, Parking.of("m-" + number).at(Instant.now()).properties(),
					String.valueOf(number));
			this.confirmed = number;
			LockSupport.parkNanos((this.burst.getAndUpdate((left) -> Math.max(0, left - 1)) > 0) ? 1 : BETWEEN);
		}
	}

	/** Ends it, after which no other message comes. */
	@Override
	public void close() {
		this.closed = true;
		Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> !this.thread.isAlive());
		this.broker.close();
	}

}
