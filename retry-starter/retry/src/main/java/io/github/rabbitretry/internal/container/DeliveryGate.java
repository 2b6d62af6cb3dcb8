/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.container;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import io.github.rabbitretry.internal.acknowledgement.Acknowledgement;
import io.github.rabbitretry.internal.acknowledgement.DeliveryChannel;
import io.github.rabbitretry.internal.acknowledgement.DeliveryChannels;
import io.github.rabbitretry.internal.handover.ConfirmedPublishers;
import io.github.rabbitretry.internal.invocation.ContainerSettings;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;

/**
 * What the deliveries of a container wait for, and what becomes of them when it stops.
 * <p>
 * A container that stops closes its channels, and originals whose copies are confirmed
 * after that would be delivered again. So from the stop on, a listener's thread waits for
 * the confirms of its channel before it returns. Spring AMQP calls no listener any more
 * for what is prefetched, and closing the channel would raise its delivery count. The
 * same thread therefore requeues it, where the broker does not count that.
 */
public final class DeliveryGate {

	/** A handler that waits for a service that is down may take its time. */
	private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

	private static final long POLL_INTERVAL = TimeUnit.MILLISECONDS.toNanos(5);

	private final AbstractMessageListenerContainer container;

	private final ContainerSettings settings;

	private final ConfirmedPublishers publishers;

	/** The listener's own container, which this one runs beside; mostly {@code null}. */
	private final @Nullable AbstractMessageListenerContainer beside;

	private final DeliveryChannels channels;

	/** Whether new deliveries have to wait, since containers are about to be stopped. */
	private volatile boolean held;

	/** Whether it is stopped for an outage, and started again afterwards. */
	private volatile boolean pausing;

	/** Whether consumers were cancelled for a pause that has not come yet. */
	private volatile boolean cancelled;

	/** Used by the watchdog's thread alone; 0 while the container runs. */
	private long stopSeenAt;

	DeliveryGate(AbstractMessageListenerContainer container, ContainerSettings settings, ConfirmedPublishers publishers,
			@Nullable AbstractMessageListenerContainer beside, DeliveryChannels channels) {
		this.container = container;
		this.settings = settings;
		this.publishers = publishers;
		this.beside = beside;
		this.channels = channels;
	}

	/**
	 * Waits while deliveries are held back. A container that runs beside another one
	 * handles nothing while that one does not; until it is stopped too, it holds what it
	 * has.
	 * @param channel the channel that a delivery came through
	 * @return {@code false} if the delivery is not to be handled: the broker has it
	 * again, or will have when the container closes the channel
	 */
	public boolean pass(DeliveryChannel channel) {
		boolean besideRan = this.beside == null || this.beside.isActive();
		awaitWhile(() -> holds(channel));
		awaitWhile(() -> !(besideRan && stopping()) && waitsForBeside(channel));
		if (giveBack(channel)) {
			return false;
		}
		// before RabbitMQ 4.3, to requeue would count as a death of its consumer
		return this.beside == null || (besideRan && stopping()) || this.beside.isActive();
	}

	/**
	 * To be called by the listener's thread when a delivery was handled.
	 * @param channel the channel that the delivery came through
	 */
	public void leave(DeliveryChannel channel) {
		uninterrupted(() -> {
			awaitWhile(() -> holds(channel));
			if (this.pausing || stopping()) {
				channel.awaitHandovers(deadline());
			}
			return giveBackOnStop(channel);
		});
	}

	private boolean holds(DeliveryChannel channel) {
		return this.held && this.container.isActive() && channel.worthWaiting();
	}

	/** Until when copies on their way are waited for. */
	private long deadline() {
		long patience = System.nanoTime() + patience().toNanos();
		return this.pausing ? patience : Math.min(this.publishers.stopDeadline().ofHandover(), patience);
	}

	/** How long to wait for handlers when the container stops. */
	Duration patience() {
		return this.pausing ? ContainerSettings.patience(LONGEST_PAUSE) : this.settings.patience();
	}

	/**
	 * Requeues all deliveries of a channel if the container stops and the broker does not
	 * count that.
	 */
	private boolean giveBackOnStop(DeliveryChannel channel) {
		return uninterrupted(() -> {
			if (!stopping() || !channel.givesBackUncounted()) {
				return false;
			}
			if (channel.open()) {
				channel.awaitHandovers(deadline());
				if (channel.consumers() < this.container.getQueueNames().length) {
					// a simple container's consumer of several queues: those that
					// delivered nothing are not known here. The container cancels all at
					// this moment
					LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
				}
				channel.cancelConsumers(patience());
				channel.giveBackAll();
			}
			return true;
		});
	}

	/**
	 * A handler may leave its thread interrupted: what was given back then without
	 * waiting would be delivered again besides a copy that is confirmed later.
	 */
	private static boolean uninterrupted(BooleanSupplier task) {
		boolean interrupted = Thread.interrupted();
		try {
			return task.getAsBoolean();
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	/**
	 * Waits for a condition to end, also on a thread that a handler left interrupted: a
	 * delivery that was let go too early would be handled by no thread. Containers don't
	 * report their stop, so the condition is polled.
	 */
	static void awaitWhile(BooleanSupplier condition) {
		boolean interrupted = false;
		while (condition.getAsBoolean()) {
			interrupted |= Thread.interrupted();
			LockSupport.parkNanos(POLL_INTERVAL);
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

	/** Waits for something, until the container stops or waiting is of no use. */
	<T> @Nullable T await(DeliveryChannel channel, Supplier<@Nullable T> attempt) {
		AtomicReference<@Nullable T> found = new AtomicReference<>();
		awaitWhile(() -> {
			found.set(attempt.get());
			return found.get() == null && !stopping() && channel.worthWaiting();
		});
		return found.get();
	}

	private boolean waitsForBeside(DeliveryChannel channel) {
		return this.beside != null && !this.beside.isActive() && this.container.isActive() && channel.worthWaiting();
	}

	/**
	 * To be called some times a second.
	 * @return whether what is prefetched behind a listener that goes on while its
	 * container stops, and that listener's own delivery, are to be given back before the
	 * container closes their channel
	 */
	public boolean overdue() {
		if (!stopping() || this.channels.isEmpty()) {
			this.stopSeenAt = 0;
			return false;
		}
		long now = System.nanoTime();
		if (this.stopSeenAt == 0) {
			this.stopSeenAt = now;
		}
		return now - this.stopSeenAt >= patience().toNanos();
	}

	/** Requeues all that its consumers have, unless it was started again meanwhile. */
	public void giveBackOverdue() {
		if (stopping()) {
			giveBackAll();
		}
	}

	void giveBackAll() {
		this.channels.giveBackAll(System.nanoTime());
	}

	/** To be called before the container is stopped, once copies were waited for. */
	void giveBackIdle() {
		this.channels.giveBackIdle();
	}

	/** To be called before the container is stopped while the application goes on. */
	void awaitHandovers() {
		// those whose threads returned before
		this.channels.awaitHandovers(deadline());
		giveBackIdle();
	}

	/**
	 * Whether it stops, or has stopped.
	 * @return {@code false} if it consumes
	 */
	public boolean stopping() {
		return !this.container.isActive();
	}

	/**
	 * Requeues a delivery that is not to be handled, with all others of its channel.
	 * @param channel the channel that the delivery came through
	 * @return {@code false} if the broker would count that, or the container goes on
	 */
	public boolean giveBack(DeliveryChannel channel) {
		return giveBackOnStop(channel) || !channel.open();
	}

	/**
	 * Cancels the consumers of a delivery's channel for the pause to come. To be called
	 * before the delivery is settled: the broker would send the next one, which the
	 * container may leave behind when it stops, and that would count as a death.
	 * @param acknowledgement the delivery's
	 */
	public void cancelBeforePause(Acknowledgement acknowledgement) {
		if (this.beside == null) {
			this.cancelled = true;
			acknowledgement.cancelConsumers(patience());
		}
	}

	/**
	 * Whether consumers were cancelled and the container was not paused since.
	 * @return {@code true} if it has to be started anew
	 */
	boolean cancelledBeforePause() {
		return this.cancelled;
	}

	/**
	 * Stops the container for an outage. Handlers have a minute.
	 * @param wanted asked once the container can be waited for
	 */
	void pause(BooleanSupplier wanted) {
		this.pausing = true;
		try {
			if (wanted.getAsBoolean()) {
				this.container.setShutdownTimeout(LONGEST_PAUSE.toMillis());
				awaitHandovers();
				this.container.stop();
				this.cancelled = false;
			}
		}
		finally {
			this.container.setShutdownTimeout(this.settings.shutdownTimeout().toMillis());
			this.pausing = false;
		}
	}

	/**
	 * Whether it is being stopped for an outage.
	 * @return {@code false} once it has stopped
	 */
	boolean pausing() {
		return this.pausing;
	}

	/**
	 * Waits for as long as a stop may.
	 * @param condition is asked again and again
	 * @param begun when the stop began, as of {@link System#nanoTime()}
	 * @return {@code false} if the condition has not ended
	 */
	boolean awaitEnd(BooleanSupplier condition, long begun) {
		long patience = this.settings.patience().toNanos();
		awaitWhile(() -> condition.getAsBoolean() && System.nanoTime() - begun < patience);
		return !condition.getAsBoolean();
	}

	/**
	 * Holds new deliveries back, or lets them pass again.
	 * @param held whether they wait, until the container stops at the latest
	 */
	void hold(boolean held) {
		this.held = held;
	}

}
