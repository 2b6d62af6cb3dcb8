/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.replay;

import java.time.Duration;

/**
 * The right of one instance to work on a job. It ends by itself unless it is renewed in
 * the database; the token tells its holder from earlier ones.
 */
final class Lease {

	private final long jobId;

	private final String owner;

	private final long token;

	private final long length;

	private volatile long endsAt;

	Lease(long jobId, String owner, long token, Duration length, long askedAt) {
		this.jobId = jobId;
		this.owner = owner;
		this.token = token;
		this.length = length.toNanos();
		renewed(askedAt);
	}

	long jobId() {
		return this.jobId;
	}

	String owner() {
		return this.owner;
	}

	long token() {
		return this.token;
	}

	Duration length() {
		return Duration.ofNanos(this.length);
	}

	/**
	 * To be called once the database has renewed it.
	 * @param askedAt when that was asked for, as of {@link System#nanoTime()}: counted
	 * from then, the end is never later than the database's
	 */
	void renewed(long askedAt) {
		this.endsAt = askedAt + this.length;
	}

	boolean dueForRenewal() {
		return this.endsAt - System.nanoTime() <= this.length / 2;
	}

	boolean ended() {
		return this.endsAt - System.nanoTime() <= 0;
	}

}
