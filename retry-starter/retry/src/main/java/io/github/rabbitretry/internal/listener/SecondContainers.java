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
import java.util.function.Predicate;

import io.github.rabbitretry.internal.container.ContainerStart;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.thread.DaemonThreads;
import io.github.rabbitretry.internal.thread.Watchdog;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;

/**
 * The containers of second queues, each of which runs while its listener's own one does
 * and its queue exists. Containers do not reliably report that they were started or
 * stopped, so they are looked at a few times a second.
 */
final class SecondContainers {

	private static final Log logger = LogFactory.getLog(SecondContainers.class);

	/** When a start that failed is tried again. */
	private static final long AGAIN = TimeUnit.SECONDS.toNanos(5);

	/** Each look at a queue that does not exist is an error in the broker's log. */
	private static final long LOOK_AGAIN = TimeUnit.SECONDS.toNanos(30);

	private final List<Pair> pairs = new CopyOnWriteArrayList<>();

	private final List<OrderedStart> orderedStarts = new CopyOnWriteArrayList<>();

	private final Predicate<String> handling;

	/** Until all others were started. */
	private volatile boolean held = true;

	/**
	 * Creates it without containers.
	 * @param watchdog monitors them
	 * @param handling whether this process has messages of a message type
	 */
	SecondContainers(Watchdog watchdog, Predicate<String> handling) {
		this.handling = handling;
		watchdog.monitor("rabbit-retry-former-queues",
				() -> !this.held && this.orderedStarts.stream().anyMatch(OrderedStart::due),
				() -> this.orderedStarts.stream().filter(OrderedStart::due).forEach(OrderedStart::look));
		watchdog.monitor("rabbit-retry-quarantine", () -> !this.held && this.pairs.stream().anyMatch(this::differs),
				this::follow);
	}

	void add(AbstractMessageListenerContainer own, AbstractMessageListenerContainer second, SecondQueue queue) {
		this.pairs.add(new Pair(own, second, new AtomicLong(System.nanoTime())));
		MessagePolicy policy = queue.policy();
		if (queue.former() && !queue.quarantine() && policy.ordering() != null && own.isAutoStartup()) {
			OrderedStart start = new OrderedStart(own, second.getConnectionFactory(), policy,
					() -> this.handling.test(policy.messageType()), () -> this.held);
			this.orderedStarts.add(start);
			if (!this.held) {
				start.begin();
			}
		}
	}

	private boolean runs(Pair pair) {
		return pair.own.isRunning() || this.orderedStarts.stream().anyMatch((start) -> start.startsLater(pair.own));
	}

	private boolean differs(Pair pair) {
		return runs(pair) ? pair.toBeStarted() || pair.inVain() : pair.second.isRunning();
	}

	/**
	 * Begins to stop all, and starts none until {@link #start()} or {@link #release()}. A
	 * caller that waits for the end lets the other containers stop first: while they hold
	 * deliveries back, they can have all threads of the client that a container needs to
	 * notice its end.
	 * @param atMost how long they may take; one that is being started may wait for the
	 * broker
	 * @return completes once all have stopped, or that time is over
	 */
	CompletableFuture<Void> hold(Duration atMost) {
		this.held = true;
		this.orderedStarts.forEach(OrderedStart::cancel);
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

	/** To be called once the other containers were started. */
	void start() {
		this.orderedStarts.forEach(OrderedStart::begin);
		release();
	}

	void release() {
		this.held = false;
	}

	private void follow() {
		for (Pair pair : this.pairs) {
			synchronized (pair) {
				if (!this.held) {
					change(pair, runs(pair));
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
				if (pair.hasQueue()) {
					ContainerStart.startOrStop(pair.second, () -> true);
				}
				else {
					pair.startAfter.set(System.nanoTime() + LOOK_AGAIN);
				}
			}
			else if (pair.second.isRunning() && (!run || pair.inVain())) {
				pair.second.stop();
			}
		}
		catch (Throwable ex) {
			// the others follow theirs
			pair.startAfter.set(System.nanoTime() + AGAIN);
			logger.warn("The container of %s could not be %s, which is tried again"
				.formatted(List.of(pair.second.getQueueNames()), run ? "started" : "stopped"), ex);
		}
	}

	void destroy(Duration atMost) {
		this.held = true;
		forEach((pair) -> {
			change(pair, false);
			pair.second.destroy();
		}, atMost).join();
	}

	private record Pair(AbstractMessageListenerContainer own, AbstractMessageListenerContainer second,
			AtomicLong startAfter) {

		boolean hasQueue() {
			return !(this.second instanceof SecondContainer container) || container.hasQueue();
		}

		boolean inVain() {
			return this.second instanceof SecondContainer container && container.inVain();
		}

		boolean toBeStarted() {
			return !this.second.isRunning() && System.nanoTime() - this.startAfter.get() > 0;
		}

	}

}
