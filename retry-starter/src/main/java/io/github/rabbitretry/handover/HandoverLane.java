/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.handover;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import com.rabbitmq.client.ShutdownSignalException;
import io.github.rabbitretry.event.OccasionalWarning;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.AmqpException;

/**
 * Hands the copies of one message type over: published by the thread that failed, which
 * goes on at once; confirmed later, on the publishing connection's thread, which then
 * acknowledges the original. What is refused, returned, late or lost is published again
 * with back-off while the original stays unacknowledged. The handler is never run again
 * for it.
 * <p>
 * A channel of its own keeps a message type whose exchange is missing, which closes the
 * channel, from disturbing the others.
 */
public final class HandoverLane implements ConfirmChannel.Outcome {

	private static final Log logger = LogFactory.getLog(HandoverLane.class);

	private final String messageType;

	private final PublisherLink link;

	private final HandoverSettings settings;

	private final Runnable wakeUp;

	private final Semaphore room;

	private final AtomicInteger pending = new AtomicInteger();

	private final AtomicLong ids = new AtomicLong();

	private final DelayQueue<Handover> waiting = new DelayQueue<>();

	private volatile @Nullable ConfirmChannel channel;

	private volatile boolean closed;

	private long connectAt = System.nanoTime();

	private final OccasionalWarning warning = new OccasionalWarning(logger, Duration.ofSeconds(30));

	HandoverLane(String messageType, PublisherLink link, HandoverSettings settings, Runnable wakeUp) {
		this.messageType = messageType;
		this.link = link;
		this.settings = settings;
		this.wakeUp = wakeUp;
		this.room = new Semaphore(settings.maxPending());
	}

	/**
	 * Begins a hand-over. Returns without waiting for the broker, unless the bound of
	 * copies on their way is reached.
	 * @param copy what to publish, with {@link #nextId()} in its hand-over header
	 * @param original what to acknowledge after that
	 * @param callback who is told
	 * @param id the id in the copy's hand-over header
	 */
	public void submit(long id, Copy copy, Original original, HandoverCallback callback) {
		Handover handover = new Handover(id, copy, original, callback);
		this.pending.incrementAndGet();
		if (!enter(original)) {
			this.pending.decrementAndGet();
			original.giveBack();
			callback.abandoned();
			return;
		}
		if (!publish(handover)) {
			this.waiting.add(handover);
			this.wakeUp.run();
		}
	}

	/**
	 * The id of the next hand-over.
	 * @return a number that no other copy of this lane carries
	 */
	public long nextId() {
		return this.ids.incrementAndGet();
	}

	/**
	 * How many copies are on their way.
	 * @return the number
	 */
	public int pending() {
		return this.pending.get();
	}

	private boolean enter(Original original) {
		try {
			while (!this.closed && original.open()) {
				// at first without regard to an interrupt that the handler left behind
				if (this.room.tryAcquire() || this.room.tryAcquire(100, TimeUnit.MILLISECONDS)) {
					return true;
				}
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		return false;
	}

	private boolean publish(Handover handover) {
		ConfirmChannel current = this.channel;
		if (current == null || !current.isOpen() || this.link.blocked()) {
			return false;
		}
		int number = handover.publish();
		if (number < 0 || current.publish(new Publication(handover, number))) {
			return true;
		}
		return !handover.failed(number);
	}

	/**
	 * Does what is due: opens the channel, publishes what waits, finds what is late.
	 * Called by the lanes' one thread, some times a second.
	 */
	void tick() {
		if (this.link.blocked()) {
			return;
		}
		ConfirmChannel current = this.channel;
		if (current != null && current.isOpen()) {
			long late = System.nanoTime() - this.settings.confirmTimeout().toNanos();
			current.forEachPublishedBefore(late, (publication) -> failed(publication, PublicationFailure.TIMED_OUT));
		}
		Handover due = this.waiting.poll();
		while (due != null) {
			if (!due.original().open()) {
				abandon(due);
			}
			else if (!connected() || !publish(due)) {
				this.waiting.add(due);
				return;
			}
			due = this.waiting.poll();
		}
	}

	private boolean connected() {
		ConfirmChannel current = this.channel;
		if (current != null && current.isOpen()) {
			return true;
		}
		if (this.connectAt - System.nanoTime() > 0) {
			return false;
		}
		this.connectAt = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(500);
		try {
			if (current != null) {
				current.abort();
			}
			this.channel = ConfirmChannel.open(this.link.connection(), this);
			return true;
		}
		catch (AmqpException | IOException | ShutdownSignalException ex) {
			this.warning
				.warn(() -> "No connection to publish '%s' on: %d failed deliveries are held unacknowledged (%s)"
					.formatted(this.messageType, pending(), ex.getMessage()));
			return false;
		}
	}

	@Override
	public void confirmed(Publication publication) {
		Handover handover = publication.handover();
		if (handover.settle()) {
			handover.original().acknowledge();
			leave(() -> handover.callback().confirmed(handover.elapsed()));
		}
	}

	@Override
	public void failed(Publication publication, PublicationFailure why) {
		Handover handover = publication.handover();
		if (!handover.failed(publication.number())) {
			return;
		}
		this.waiting.add(handover);
		if (why != PublicationFailure.LOST) {
			Copy copy = handover.copy();
			this.warning.warn(() -> ("Copies for '%s' through exchange '%s' %s: %d failed deliveries of '%s' are held "
					+ "unacknowledged and their copies published again until they are taken")
				.formatted(copy.routingKey(), copy.exchange(), why, pending(), this.messageType));
		}
	}

	private void abandon(Handover handover) {
		if (handover.settle()) {
			leave(handover.callback()::abandoned);
		}
	}

	private void leave(Runnable callback) {
		try {
			callback.run();
		}
		catch (RuntimeException ex) {
			logger.warn("A hand-over's callback failed", ex);
		}
		finally {
			this.room.release();
			this.pending.decrementAndGet();
		}
	}

	/**
	 * Ends the lane: what is still on its way is left to the broker, which delivers the
	 * originals again.
	 */
	void close() {
		this.closed = true;
		ConfirmChannel current = this.channel;
		if (pending() > 0) {
			logger.warn(
					"%d failed deliveries of '%s' were not handed over before the stop; the broker delivers them again"
						.formatted(pending(), this.messageType));
		}
		if (current != null && !this.link.blocked()) {
			current.abort();
		}
		this.waiting.forEach(this::abandon);
		this.waiting.clear();
	}

}
