/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.thread;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.rabbitretry.internal.logging.FailingLog;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class WatchdogTests {

	private final Watchdog watchdog = new Watchdog();

	private final AtomicInteger calls = new AtomicInteger();

	@AfterEach
	void close() {
		this.watchdog.close();
	}

	@Test
	void anActionIsCalledWheneverItIsDue() {
		AtomicBoolean due = new AtomicBoolean();
		this.watchdog.monitor("action", due::get, () -> {
			due.set(false);
			this.calls.incrementAndGet();
		});
		Awaitility.await().during(Duration.ofMillis(300)).until(() -> this.calls.get() == 0);
		due.set(true);
		Awaitility.await().until(() -> this.calls.get() == 1);
		due.set(true);
		Awaitility.await().until(() -> this.calls.get() == 2);
	}

	@Test
	void anActionThatTakesLongHoldsUpNoOtherAndRunsOnce() {
		CountDownLatch answer = new CountDownLatch(1);
		this.watchdog.monitor("waiting", () -> true, () -> {
			this.calls.incrementAndGet();
			await(answer);
		});
		AtomicInteger others = new AtomicInteger();
		this.watchdog.monitor(others::incrementAndGet);
		this.watchdog.monitor("other", () -> true, others::incrementAndGet);
		Awaitility.await().until(() -> others.get() > 10);
		assertThat(this.calls).hasValue(1);
		answer.countDown();
		Awaitility.await().until(() -> this.calls.get() > 1);
	}

	@Test
	void whatFailsIsTriedAgainAndHoldsUpNoOther() {
		this.watchdog.monitor("failing", () -> true, () -> {
			this.calls.incrementAndGet();
			throw new OutOfMemoryError("heap");
		});
		AtomicInteger checks = new AtomicInteger();
		this.watchdog.monitor(() -> {
			checks.incrementAndGet();
			throw new IllegalStateException("once more");
		});
		this.watchdog.monitor("unknown", () -> {
			checks.incrementAndGet();
			throw new IllegalStateException("not known whether it is due");
		}, this.calls::incrementAndGet);
		Awaitility.await().until(() -> this.calls.get() > 1 && checks.get() > 4);
	}

	@Test
	void whatFailsIsTriedAgainAlthoughThatCanNotBeLogged() {
		try (FailingLog log = new FailingLog("io.github.rabbitretry")) {
			this.watchdog.monitor(() -> {
				this.calls.incrementAndGet();
				throw new IllegalStateException("once more");
			});
			Awaitility.await().until(() -> this.calls.get() > 2);
		}
	}

	@Test
	void anInterruptedThreadGoesOnWaitingBetweenChecks() {
		AtomicBoolean interrupted = new AtomicBoolean();
		this.watchdog.monitor(() -> {
			if (interrupted.compareAndSet(false, true)) {
				Thread.currentThread().interrupt();
			}
			this.calls.incrementAndGet();
		});
		Awaitility.await().until(() -> this.calls.get() > 1);
		int before = this.calls.get();
		Awaitility.await().pollDelay(Duration.ofSeconds(1)).until(() -> true);
		assertThat(this.calls.get() - before).isLessThan(100);
	}

	@Test
	void nothingIsCheckedOnceItIsClosed() {
		this.watchdog.monitor(this.calls::incrementAndGet);
		Awaitility.await().until(() -> this.calls.get() > 0);
		this.watchdog.close();
		AtomicInteger last = new AtomicInteger();
		Awaitility.await()
			.pollInterval(Duration.ofMillis(300))
			.until(() -> last.getAndSet(this.calls.get()) == this.calls.get());
	}

	private static void await(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
