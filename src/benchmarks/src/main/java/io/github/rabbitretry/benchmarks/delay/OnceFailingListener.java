/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks.delay;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.messaging.handler.annotation.Header;

/**
 * Fails each message the first time.
 */
class OnceFailingListener {

	private static final long PAUSE_NANOS = 10_000_000;

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

	double secondsOfSuccess() {
		return (this.lastSuccess - this.firstSuccess) / 1e9;
	}

	private static void await(AtomicLong count, long messages) {
		while (count.get() < messages) {
			LockSupport.parkNanos(PAUSE_NANOS);
		}
	}

}
