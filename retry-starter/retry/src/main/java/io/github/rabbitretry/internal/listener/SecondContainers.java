/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.listener;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;

import io.github.rabbitretry.internal.container.ConsumerWidth;
import io.github.rabbitretry.internal.container.ContainerStart;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.thread.DaemonThreads;
import io.github.rabbitretry.internal.thread.Watchdog;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

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

	private final Predicate<AbstractMessageListenerContainer> holding;

	private final Predicate<AbstractMessageListenerContainer> blocked;

	private final Consumer<AbstractMessageListenerContainer> awaitHandovers;

	/** Until all others were started. */
	private volatile boolean held = true;

	/**
	 * Creates it without containers.
	 * @param watchdog monitors them
	 * @param holding whether messages of an ordered container are handled or wait here
	 * @param blocked whether a container was stopped at a message that keeps its place
	 * @param awaitHandovers waits, bounded, for a container's copies on their way
	 */
	SecondContainers(Watchdog watchdog, Predicate<AbstractMessageListenerContainer> holding,
			Predicate<AbstractMessageListenerContainer> blocked,
			Consumer<AbstractMessageListenerContainer> awaitHandovers) {
		this.holding = holding;
		this.blocked = blocked;
		this.awaitHandovers = awaitHandovers;
		watchdog.monitor("rabbit-retry-former-queues",
				() -> !this.held && this.orderedStarts.stream().anyMatch(OrderedStart::due),
				() -> this.orderedStarts.stream().filter(OrderedStart::due).forEach(OrderedStart::look));
		watchdog.monitor("rabbit-retry-quarantine", () -> !this.held && this.pairs.stream().anyMatch(this::differs),
				this::follow);
	}

	void add(AbstractMessageListenerContainer own, AbstractMessageListenerContainer second, SecondQueue queue) {
		this.pairs.add(new Pair(own, second, queue));
		if (queue.ordered() && second instanceof SecondContainer former) {
			orderedStart(own, queue.policy()).ifPresent((start) -> start.add(queue.name(), former));
		}
	}

	private Optional<OrderedStart> orderedStart(AbstractMessageListenerContainer own, MessagePolicy policy) {
		Optional<OrderedStart> known = this.orderedStarts.stream().filter((start) -> start.isOf(own)).findFirst();
		if (known.isPresent() || !own.isAutoStartup()) {
			return known;
		}
		OrderedStart start = new OrderedStart(own, policy, this.holding, () -> this.held);
		this.orderedStarts.add(start);
		if (!this.held) {
			start.begin();
		}
		return Optional.of(start);
	}

	private boolean runs(Pair pair) {
		boolean ownRuns = pair.own.isRunning();
		boolean runs = ownRuns || this.orderedStarts.stream().anyMatch((start) -> start.startsLater(pair.own));
		if (!runs || ownRuns && !pair.ownRan) {
			pair.stoppedSince = true;
		}
		pair.ownRan = ownRuns;
		return runs;
	}

	private boolean differs(Pair pair) {
		return runs(pair) ? toBeStarted(pair) || pair.inVain() : pair.second.isRunning();
	}

	/** At a message that keeps its place it ends until its listener is started again. */
	private boolean toBeStarted(Pair pair) {
		return !pair.second.isRunning() && System.nanoTime() - pair.startAfter > 0
				&& (pair.stoppedSince || !this.blocked.test(pair.second));
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
		this.pairs.forEach((pair) -> pair.stoppedSince = true);
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

	private void change(Pair pair, boolean run) {
		synchronized (pair) {
			startOrStop(pair, run);
		}
	}

	private void startOrStop(Pair pair, boolean run) {
		try {
			if (run && toBeStarted(pair)) {
				pair.start();
			}
			else if (pair.second.isRunning() && (!run || pair.inVain())) {
				if (!this.held) {
					this.awaitHandovers.accept(pair.second);
				}
				pair.second.stop();
			}
		}
		catch (Throwable ex) {
			// the others follow theirs
			pair.startAfter = System.nanoTime() + AGAIN;
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

	private static final class Pair {

		private final AbstractMessageListenerContainer own;

		private final AbstractMessageListenerContainer second;

		private final SecondQueue queue;

		private volatile long startAfter = System.nanoTime();

		/**
		 * Whether the own container was stopped or started since the second was started.
		 */
		private volatile boolean stoppedSince = true;

		private volatile boolean ownRan;

		private volatile @Nullable ConsumerWidth width;

		Pair(AbstractMessageListenerContainer own, AbstractMessageListenerContainer second, SecondQueue queue) {
			this.own = own;
			this.second = second;
			this.queue = queue;
		}

		void start() {
			if (this.second instanceof SecondContainer former && !former.hasQueue()) {
				this.startAfter = System.nanoTime() + (this.queue.ordered() && former.exists() ? AGAIN : LOOK_AGAIN);
				return;
			}
			if (sameWidth()) {
				ConsumerWidth own = ConsumerWidth.of(this.own);
				own.apply(this.second);
				this.width = own;
			}
			this.stoppedSince = false;
			ContainerStart.startOrStop(this.second, () -> true);
		}

		/** In an outage the own container makes probes with less. */
		boolean inVain() {
			return this.second instanceof SecondContainer former && former.inVain()
					|| this.second.isRunning() && sameWidth() && !ConsumerWidth.of(this.own).equals(this.width);
		}

		private boolean sameWidth() {
			return this.queue.former() && !this.queue.quarantine();
		}

	}

}
