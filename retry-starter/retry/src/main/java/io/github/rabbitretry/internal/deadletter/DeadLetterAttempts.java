/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.deadletter;

/**
 * Counts attempts to receive dead letters of one queue since the last that got on.
 */
final class DeadLetterAttempts {

	/** More than the queue's delivery limit allows. */
	private static final int MARGIN = 10;

	/** Failures of broker, network or permissions, before it is left to the container. */
	private static final int MOST_OTHERS = 5;

	/**
	 * A quorum queue puts what comes back behind what came back before, so that so many
	 * messages may end connections by turns, and all of their deliveries come before the
	 * first of them is moved.
	 */
	private static final int BY_TURNS = 50;

	private final int limit;

	private final boolean counted;

	private long failures;

	private int deliveries;

	private int others;

	private long waiting = 1;

	private long moved = -1;

	/**
	 * Creates the count.
	 * @param limit the queue's delivery limit
	 * @param counted whether the queue counts deliveries
	 */
	DeadLetterAttempts(int limit, boolean counted) {
		this.limit = limit;
		this.counted = counted;
	}

	/**
	 * Takes what the queues hold when an attempt begins.
	 * @param nowWaiting messages in the dead-letter queue
	 * @param nowMoved messages in the last queue
	 * @return how many the broker moved since the attempt before
	 */
	long look(long nowWaiting, long nowMoved) {
		// messages of others end there too, and the broker moves ours only if it counts
		// deliveries
		long added = (this.moved < 0 || !this.counted || this.deliveries == 0) ? 0 : Math.max(0, nowMoved - this.moved);
		this.moved = nowMoved;
		this.waiting = nowWaiting;
		if (added > 0) {
			this.deliveries = 0;
			gotOn();
		}
		return added;
	}

	/** A message was received. */
	void gotOn() {
		this.failures = 0;
		this.others = 0;
	}

	/**
	 * An attempt failed.
	 * @param ended whether a delivery ended the connection
	 */
	void failed(boolean ended) {
		if (ended) {
			this.failures++;
			this.deliveries++;
		}
		else {
			this.others++;
		}
	}

	/** Deliveries that ended connections since a message was moved. */
	int deliveries() {
		return this.deliveries;
	}

	boolean tooMany() {
		return this.others >= MOST_OTHERS || tooManyDeliveries();
	}

	boolean tooManyDeliveries() {
		long turns = this.counted ? Math.min(BY_TURNS, Math.max(1, this.waiting)) : 1;
		return this.failures >= (this.limit + MARGIN) * turns;
	}

}
