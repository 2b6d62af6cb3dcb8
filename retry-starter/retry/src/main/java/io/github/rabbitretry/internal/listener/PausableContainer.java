/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.listener;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.github.rabbitretry.internal.outage.PausableListener;
import org.jspecify.annotations.Nullable;

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

	private final ManagedContainer managed;

	private final AbstractMessageListenerContainer container;

	/** What it consumes with, while it makes probes with less. */
	private @Nullable ConsumerWidth own;

	private long startedAt = System.nanoTime() - STARTS;

	/** Whether it was stopped here, and nobody else stops it. */
	private volatile boolean ours;

	PausableContainer(ManagedContainer managed) {
		this.managed = managed;
		this.container = managed.container();
	}

	@Override
	public synchronized void pause() {
		if (this.container.isRunning()) {
			this.ours = true;
			// what it gets meanwhile waits for the circuit
			LockSupport.parkNanos(STARTS - (System.nanoTime() - this.startedAt));
			this.managed.pause();
		}
	}

	@Override
	public synchronized void probe() {
		if (this.managed.cancelledBeforePause()) {
			pause();
		}
		if (this.ours && !this.container.isRunning()) {
			if (this.own == null) {
				this.own = ConsumerWidth.of(this.container);
			}
			this.own.one().apply(this.container);
			start();
		}
	}

	@Override
	public synchronized void resume() {
		if (this.own != null || this.managed.cancelledBeforePause()) {
			pause();
		}
		if (this.own != null) {
			this.own.apply(this.container);
			this.own = null;
		}
		if (!this.container.isRunning()) {
			start();
		}
	}

	private void start() {
		if (!this.ours) {
			return;
		}
		this.container.start();
		this.startedAt = System.nanoTime();
		if (!this.ours) {
			// the application stopped it, which did not run yet
			this.container.stop();
		}
		this.ours = false;
	}

	/** Not synchronized: to start a container can take as long as the broker is away. */
	@Override
	public void forget() {
		this.ours = false;
	}

}
