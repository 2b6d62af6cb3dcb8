/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.listener;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

import io.github.rabbitretry.internal.container.ContainerStart;
import io.github.rabbitretry.internal.thread.DaemonThreads;
import io.github.rabbitretry.internal.thread.Watchdog;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;

/**
 * The containers of quarantine queues, each of which runs while its listener's own one
 * does. Containers do not reliably report that they were started or stopped, so they are
 * looked at a few times a second.
 */
final class QuarantineContainers {

	private static final Log logger = LogFactory.getLog(QuarantineContainers.class);

	/** When a start that failed is tried again. */
	private static final long AGAIN = TimeUnit.SECONDS.toNanos(5);

	private final List<Pair> pairs = new CopyOnWriteArrayList<>();

	/** Until all others were started. */
	private volatile boolean held = true;

	QuarantineContainers(Watchdog watchdog) {
		watchdog.monitor("rabbit-retry-quarantine", () -> !this.held && this.pairs.stream().anyMatch(Pair::differ),
				this::follow);
	}

	void add(AbstractMessageListenerContainer own, AbstractMessageListenerContainer quarantine) {
		this.pairs.add(new Pair(own, quarantine, new AtomicLong(System.nanoTime())));
	}

	/**
	 * Begins to stop all, and starts none until {@link #release()}. A caller that waits
	 * for the end lets the other containers stop first: while they hold deliveries back,
	 * they can have all threads of the client that a container needs to notice its end.
	 * @param atMost how long they may take; one that is being started may wait for the
	 * broker
	 * @return completes once all have stopped, or that time is over
	 */
	CompletableFuture<Void> hold(Duration atMost) {
		this.held = true;
		return forEach((pair) -> change(pair, false), atMost);
	}

	private CompletableFuture<Void> forEach(Consumer<Pair> action, Duration atMost) {
		return CompletableFuture
			.allOf(this.pairs.stream()
				.map((pair) -> CompletableFuture.runAsync(() -> action.accept(pair),
						(stop) -> DaemonThreads.start("rabbit-retry-quarantine-stop", stop)))
				.toArray(CompletableFuture[]::new))
			.completeOnTimeout(null, atMost.toMillis(), TimeUnit.MILLISECONDS);
	}

	void release() {
		this.held = false;
	}

	private void follow() {
		for (Pair pair : this.pairs) {
			synchronized (pair) {
				if (!this.held) {
					change(pair, pair.own.isRunning());
				}
			}
		}
	}

	private static void change(Pair pair, boolean run) {
		synchronized (pair) {
			startOrStop(pair, run);
		}
	}

	private static void startOrStop(Pair pair, boolean run) {
		try {
			if (run && pair.toBeStarted()) {
				ContainerStart.startOrStop(pair.quarantine, () -> true);
			}
			else if (!run && pair.quarantine.isRunning()) {
				pair.quarantine.stop();
			}
		}
		catch (Throwable ex) {
			// the others follow theirs
			pair.startAfter.set(System.nanoTime() + AGAIN);
			warn(pair, run, ex);
		}
	}

	private static void warn(Pair pair, boolean run, Throwable failure) {
		try {
			logger.warn("The container of %s could not be %s, which is tried again"
				.formatted(List.of(pair.quarantine.getQueueNames()), run ? "started" : "stopped"), failure);
		}
		catch (Throwable ex) {
			// there is no memory to log it
		}
	}

	void destroy(Duration atMost) {
		this.held = true;
		forEach((pair) -> {
			change(pair, false);
			pair.quarantine.destroy();
		}, atMost).join();
	}

	private record Pair(AbstractMessageListenerContainer own, AbstractMessageListenerContainer quarantine,
			AtomicLong startAfter) {

		boolean differ() {
			return this.own.isRunning() ? toBeStarted() : this.quarantine.isRunning();
		}

		boolean toBeStarted() {
			return !this.quarantine.isRunning() && System.nanoTime() - this.startAfter.get() > 0;
		}

	}

}
