/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.container;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import io.github.rabbitretry.internal.acknowledgement.Acknowledgement;
import io.github.rabbitretry.internal.acknowledgement.DeliveryChannels;
import io.github.rabbitretry.internal.invocation.ContainerSettings;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;

/**
 * The pause of a container in an outage: it is stopped, and started later by others.
 */
final class ContainerPause {

	/** A handler that waits for a service that is down may take its time. */
	private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

	private static final long END_OF_PAUSE = TimeUnit.SECONDS.toNanos(1);

	private final AbstractMessageListenerContainer container;

	private final ContainerSettings settings;

	private final DeliveryGate gate;

	private final DeliveryChannels channels;

	/** Waits for the copies that are on their way. */
	private final Runnable handovers;

	/** Whether it stops for an outage, and resumes later. */
	private volatile boolean pausing;

	private final Object pauseLock = new Object();

	/** The thread that waits for handlers. Guarded by the lock. */
	private @Nullable Thread pauses;

	/** Whether consumers were cancelled for a pause that may not have come yet. */
	private volatile boolean cancelled;

	ContainerPause(AbstractMessageListenerContainer container, ContainerSettings settings, DeliveryGate gate,
			DeliveryChannels channels, Runnable handovers) {
		this.container = container;
		this.settings = settings;
		this.gate = gate;
		this.channels = channels;
		this.handovers = handovers;
	}

	/**
	 * Whether the container is being stopped for an outage.
	 * @return {@code false} once it has stopped
	 */
	boolean goesOn() {
		return this.pausing;
	}

	/** How long to wait for handlers when the container stops. */
	Duration patience() {
		return this.pausing ? ContainerSettings.patience(LONGEST_PAUSE) : this.settings.patience();
	}

	/**
	 * Stops the container for an outage. What is prefetched goes back to the queue where
	 * the broker does not count that, or waits elsewhere.
	 * @param wanted asked once {@link #await} waits for it: whether it is to be stopped
	 */
	void begin(BooleanSupplier wanted) {
		synchronized (this.pauseLock) {
			this.pauses = Thread.currentThread();
		}
		this.pausing = true;
		try {
			if (wanted.getAsBoolean()) {
				this.container.setShutdownTimeout(LONGEST_PAUSE.toMillis());
				this.handovers.run();
				this.container.stop();
				this.cancelled = false;
			}
		}
		finally {
			this.container.setShutdownTimeout(this.settings.shutdownTimeout().toMillis());
			synchronized (this.pauseLock) {
				this.pauses = null;
				Thread.interrupted();
			}
			this.pausing = false;
		}
	}

	/**
	 * To be called when the application stops: its own stop of a container that is being
	 * paused waits for nothing. Handlers have as long as they would have without a pause.
	 * @param begun when the stop began, as of {@link System#nanoTime()}
	 */
	void await(long begun) {
		if (awaitWhile(() -> this.pausing, begun)) {
			return;
		}
		this.channels.giveBackAll();
		synchronized (this.pauseLock) {
			if (this.pauses != null) {
				// as if its time were over; until then it could not be started again
				this.pauses.interrupt();
			}
		}
		long interruptedAt = System.nanoTime();
		this.gate.holdWhile(() -> this.pausing && System.nanoTime() - interruptedAt < END_OF_PAUSE);
	}

	/**
	 * Waits for as long as a stop may.
	 * @param goesOn asked now and then
	 * @param begun when the stop began, as of {@link System#nanoTime()}
	 * @return {@code false} if it was in vain
	 */
	boolean awaitWhile(BooleanSupplier goesOn, long begun) {
		long patience = this.settings.patience().toNanos();
		this.gate.holdWhile(() -> goesOn.getAsBoolean() && System.nanoTime() - begun < patience);
		return !goesOn.getAsBoolean();
	}

	/**
	 * Cancels consumers since the container is to be stopped.
	 * @param acknowledgement of a delivery of theirs
	 */
	void cancelConsumers(Acknowledgement acknowledgement) {
		this.cancelled = true;
		acknowledgement.cancelConsumers(patience());
	}

	/**
	 * Whether consumers were cancelled and the container was not paused since.
	 * @return {@code true} if it has to be started anew
	 */
	boolean cancelledBefore() {
		return this.cancelled;
	}

}
