/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.container;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.github.rabbitretry.internal.outage.Dependency;
import io.github.rabbitretry.internal.outage.PausableListener;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.MessageListenerContainer;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;

/**
 * A container that is paused in outages: stopped, so that its queues keep their messages,
 * and started with one consumer that prefetches one message for the probes.
 */
final class PausableContainer implements PausableListener {

	/**
	 * A consumer that is stopped just as it starts leaves what it got behind, and the
	 * broker counts that as a death.
	 */
	private static final long STARTS = TimeUnit.MILLISECONDS.toNanos(300);

	private static final long END_OF_PAUSE = TimeUnit.SECONDS.toNanos(1);

	private final DeliveryGate gate;

	private final AbstractMessageListenerContainer container;

	private final Dependency dependency;

	/** What it consumes with, while it makes probes with less. */
	private volatile @Nullable ConsumerWidth own;

	private long startedAt = System.nanoTime() - STARTS;

	private final Object pauseLock = new Object();

	/** The thread that waits for handlers. Guarded by the lock. */
	private @Nullable Thread pauses;

	/** Whether it was stopped here, and not by other code as well. */
	private volatile boolean ours;

	/** Whether it is being started, which can take as long as the broker is away. */
	private volatile boolean starting;

	/** Whether the application stopped it, and only that, before that had ended. */
	private volatile boolean startOutlasted;

	/** Whether the application is about to stop it. */
	private volatile boolean applicationStops;

	/** Whether the application has begun to start it since it stopped it last. */
	private volatile boolean applicationStarted;

	PausableContainer(ManagedContainer managed, Dependency dependency) {
		this.gate = managed.gate();
		this.container = managed.container();
		this.dependency = dependency;
	}

	MessageListenerContainer container() {
		return this.container;
	}

	@Override
	public boolean paused() {
		return this.ours;
	}

	@Override
	public synchronized void pause() {
		if (this.container.isRunning() && take()) {
			// what it gets meanwhile waits for the circuit
			LockSupport.parkNanos(STARTS - (System.nanoTime() - this.startedAt));
			// the application may have stopped it meanwhile, and even started it again
			stop();
			startLaterIfStarted();
		}
	}

	private void stop() {
		synchronized (this.pauseLock) {
			this.pauses = Thread.currentThread();
		}
		try {
			this.gate.pause(() -> this.ours);
		}
		finally {
			synchronized (this.pauseLock) {
				this.pauses = null;
				Thread.interrupted();
			}
		}
	}

	@Override
	public synchronized void probe() {
		if (this.gate.cancelledBeforePause()) {
			pause();
		}
		if (this.ours && !this.container.isRunning()) {
			if (this.own == null) {
				this.own = ConsumerWidth.of(this.container);
			}
			this.own.single(1).apply(this.container);
			start();
		}
	}

	@Override
	public synchronized void resume() {
		if (this.own != null || this.gate.cancelledBeforePause()) {
			pause();
		}
		if (this.container.isRunning()) {
			this.ours = false;
			return;
		}
		if (this.own != null) {
			this.own.apply(this.container);
			this.own = null;
		}
		start();
	}

	/** Unless the application stops it. */
	private boolean take() {
		this.ours = true;
		// in this order: it says so, and then that it is not ours
		if (this.applicationStops) {
			this.ours = false;
		}
		return this.ours;
	}

	private void start() {
		this.startOutlasted = false;
		this.starting = true;
		try {
			// in this order: a stop sets ours first, and then reads this
			if (!this.ours) {
				return;
			}
			ContainerStart.startOrStop(this.container, () -> this.ours);
			this.startedAt = System.nanoTime();
		}
		finally {
			this.starting = false;
			if (!this.ours && this.startOutlasted) {
				// the application stopped it, which did not run yet
				this.container.stop();
				startLaterIfStarted();
			}
		}
		if (!this.ours && this.own != null) {
			// the application stopped and started it meanwhile
			this.dependency.check();
		}
		if (this.container.isRunning()) {
			this.ours = false;
		}
	}

	/**
	 * What the application starts while it is being stopped here has its consumers still,
	 * and stops with them.
	 */
	private void startLaterIfStarted() {
		if (this.ours || !this.applicationStarted || this.container.isRunning()) {
			return;
		}
		this.ours = true;
		if (!this.applicationStarted) {
			// it stops it again
			this.ours = false;
		}
		// once the application's own start has come to its end
		this.dependency.refused();
	}

	/**
	 * To be called before the application starts it, perhaps while it is started or
	 * stopped here.
	 */
	void applicationStarts() {
		this.startOutlasted = false;
		this.applicationStarted = true;
	}

	/**
	 * To be called before the application stops it, which is not started here then. Not
	 * synchronized: to start a container can take as long as the broker is away.
	 */
	void applicationStops() {
		this.applicationStops = true;
		this.applicationStarted = false;
		this.ours = false;
	}

	/**
	 * Waits, bounded, for a pause or a start that has begun: the application's own stop
	 * of a container that is being paused waits for nothing. Handlers have as long as
	 * they would have without a pause.
	 * @param begun when the stop began, as of {@link System#nanoTime()}
	 */
	void awaitPause(long begun) {
		if (!this.gate.awaitEnd(this.gate::pausing, begun)) {
			this.gate.giveBackAll();
			synchronized (this.pauseLock) {
				if (this.pauses != null) {
					// as if its time were over; until then it could not be started again
					this.pauses.interrupt();
				}
			}
			long interruptedAt = System.nanoTime();
			DeliveryGate.awaitWhile(() -> this.gate.pausing() && System.nanoTime() - interruptedAt < END_OF_PAUSE);
		}
		this.startOutlasted = !this.gate.awaitEnd(() -> this.starting, begun);
	}

	/** To be called when the application has stopped it, and may start it again. */
	void applicationStopped() {
		this.applicationStops = false;
		if (this.own != null) {
			this.dependency.check();
		}
	}

}
