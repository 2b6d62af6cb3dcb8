/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.handover;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.rabbitretry.internal.connection.BrokerText;
import io.github.rabbitretry.internal.logging.RateLimitedLog;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * A channel that is opened again after each end, by another thread: opening and closing
 * wait for the broker, which does not answer while it is stopped, cut off or under an
 * alarm.
 */
final class ReopeningChannel {

	private static final Log logger = LogFactory.getLog(ReopeningChannel.class);

	private static final long NO_ANSWER = TimeUnit.SECONDS.toNanos(15);

	private final PublisherConnection connection;

	private final Executor executor;

	private final ConfirmChannel.Outcome outcome;

	private final Runnable opened;

	private final Backoff backoff = new Backoff(Duration.ofMillis(500), Duration.ofSeconds(3), 0.25);

	private final RateLimitedLog warning = new RateLimitedLog(logger, Duration.ofSeconds(30));

	private final AtomicBoolean opening = new AtomicBoolean();

	private volatile long openingSince;

	private volatile @Nullable ConfirmChannel current;

	private volatile boolean closed;

	/**
	 * Creates the channel, which is not opened yet.
	 * @param connection where to open it
	 * @param executor opens and closes
	 * @param outcome is notified of publications
	 * @param opened called once a channel is open
	 */
	ReopeningChannel(PublisherConnection connection, Executor executor, ConfirmChannel.Outcome outcome,
			Runnable opened) {
		this.connection = connection;
		this.executor = executor;
		this.outcome = outcome;
		this.opened = opened;
	}

	/**
	 * The channel, if something can be published on it now.
	 * @return an open channel, or {@code null}
	 */
	@Nullable ConfirmChannel usable() {
		ConfirmChannel channel = this.current;
		return (channel != null && channel.isOpen() && !this.connection.blocked()) ? channel : null;
	}

	/**
	 * The same, but has a channel opened if there is none and an attempt is due.
	 * @return an open channel, or {@code null}
	 */
	@Nullable ConfirmChannel usableOrOpening() {
		ConfirmChannel channel = usable();
		if (channel == null && !this.connection.blocked() && this.connection.due() && this.backoff.due()
				&& this.opening.compareAndSet(false, true)) {
			this.openingSince = System.nanoTime();
			this.backoff.attempted();
			boolean begun = false;
			try {
				begun = execute(this::open);
			}
			finally {
				if (!begun) {
					this.opening.set(false);
				}
			}
			channel = usable();
		}
		return channel;
	}

	private void open() {
		try {
			ConfirmChannel before = this.current;
			if (before != null) {
				execute(before::abort);
			}
			this.current = ConfirmChannel.open(this.connection.connection(), this.outcome);
			if (this.closed) {
				close();
			}
		}
		catch (Throwable ex) {
			// of any kind: connection listeners of the application run in there too
			logger.debug("No channel to publish on", ex);
			this.warning.warn(() -> "No channel to publish failed deliveries on: %s".formatted(BrokerText.of(ex)));
		}
		finally {
			this.opening.set(false);
		}
		this.opened.run();
	}

	/**
	 * Whether the broker has not answered for a while to the wish for a channel.
	 * @return {@code true} if it is stopped, cut off, or blocks the connection
	 */
	boolean unanswered() {
		return openingSinceBefore(System.nanoTime() - NO_ANSWER);
	}

	/**
	 * Whether the broker has not answered since then to the wish for a channel.
	 * @param nanoTime when, as of {@link System#nanoTime()}
	 * @return {@code true} if one is being opened for longer
	 */
	boolean openingSinceBefore(long nanoTime) {
		return this.opening.get() && this.openingSince - nanoTime < 0;
	}

	/**
	 * What was published is confirmed, or the next channel is not to wait for its turn.
	 */
	void worked() {
		this.backoff.succeeded();
	}

	/**
	 * Publishes nothing on the channel any more and closes it. Confirms count until it is
	 * closed.
	 */
	void abandon() {
		ConfirmChannel channel = this.current;
		if (channel != null && channel.retire()) {
			execute(channel::abort);
		}
	}

	private boolean execute(Runnable task) {
		try {
			this.executor.execute(task);
			return true;
		}
		catch (RejectedExecutionException ex) {
			logger.debug("The publishers are closed", ex);
		}
		return false;
	}

	/**
	 * Ends the channel. Under an alarm the broker would not answer to that.
	 */
	void close() {
		this.closed = true;
		ConfirmChannel channel = this.current;
		if (channel != null && channel.isOpen() && !this.connection.blocked()) {
			channel.abort();
		}
	}

}
