/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks.delay;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.messaging.handler.annotation.Header;

/**
 * Fails each message the first time.
 */
class OnceFailingListener {

	private static final long PAUSE_NANOS = 10_000_000;

	private static final long LONGEST_NANOS = TimeUnit.HOURS.toNanos(1);

	private final AtomicLong failed = new AtomicLong();

	private final AtomicLong succeeded = new AtomicLong();

	private volatile long firstSuccess;

	private volatile long lastSuccess;

	@RabbitListener(queues = "${benchmark.work}")
	void handle(byte[] body, @Header(name = "x-app-retry-attempt", defaultValue = "0") int attempt) {
		if (attempt == 0) {
			this.failed.incrementAndGet();
			throw new IllegalStateException("not now");
		}
		this.lastSuccess = System.nanoTime();
		if (this.succeeded.incrementAndGet() == 1) {
			this.firstSuccess = this.lastSuccess;
		}
	}

	void awaitFailed(long messages) {
		await(this.failed, messages);
	}

	void awaitSucceeded(long messages) {
		await(this.succeeded, messages);
	}

	long succeeded() {
		return this.succeeded.get();
	}

	double secondsOfSuccess() {
		return (this.lastSuccess - this.firstSuccess) / 1e9;
	}

	private static void await(AtomicLong count, long messages) {
		long begun = System.nanoTime();
		while (count.get() < messages) {
			if (System.nanoTime() - begun > LONGEST_NANOS) {
				throw new IllegalStateException("%s of %s messages are handled".formatted(count.get(), messages));
			}
			LockSupport.parkNanos(PAUSE_NANOS);
		}
	}

}
