/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.replay;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;

import org.springframework.amqp.rabbit.connection.ConnectionFactory;

/**
 * Opens channels in a thread of its own, one at a time: where nobody answers, the client
 * waits for minutes, and whoever works on a replay has a lease to keep.
 */
final class ChannelOpening implements AutoCloseable {

	private static final Duration PATIENCE = Duration.ofSeconds(5);

	private static final long SLICE = 200;

	private final ConnectionFactory connectionFactory;

	private @Nullable CompletableFuture<ReplayChannel> pending;

	ChannelOpening(ConnectionFactory connectionFactory) {
		this.connectionFactory = connectionFactory;
	}

	/**
	 * Opens a channel, or goes on with that.
	 * @param mayGoOn asked now and then; nobody waits any more once it says no
	 * @return the channel
	 * @throws IOException if it is not open yet
	 */
	ReplayChannel open(BooleanSupplier mayGoOn) throws IOException {
		CompletableFuture<ReplayChannel> opening = this.pending;
		if (opening == null) {
			opening = begin();
			this.pending = opening;
		}
		long until = System.nanoTime() + PATIENCE.toNanos();
		while (until - System.nanoTime() > 0 && mayGoOn.getAsBoolean()) {
			try {
				ReplayChannel opened = opening.get(SLICE, TimeUnit.MILLISECONDS);
				this.pending = null;
				return opened;
			}
			catch (TimeoutException ex) {
				// not yet
			}
			catch (ExecutionException ex) {
				this.pending = null;
				throw new IOException(String.valueOf(ex.getCause()), ex.getCause());
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				break;
			}
		}
		throw new IOException(
				"the broker does not answer: it blocks publishers (memory or disk alarm), stands still, or is cut off");
	}

	private CompletableFuture<ReplayChannel> begin() {
		CompletableFuture<ReplayChannel> opening = new CompletableFuture<>();
		background(() -> {
			try {
				opening.complete(ReplayChannel.open(this.connectionFactory));
			}
			catch (Throwable ex) {
				opening.completeExceptionally(ex);
			}
		});
		return opening;
	}

	/** Runs what may wait for a broker that does not answer. */
	static void background(Runnable work) {
		Thread thread = new Thread(work, "rabbit-retry-replay-channel");
		thread.setDaemon(true);
		thread.start();
	}

	@Override
	public void close() {
		CompletableFuture<ReplayChannel> opening = this.pending;
		this.pending = null;
		if (opening != null) {
			opening.thenAccept(ReplayChannel::close);
		}
	}

}
