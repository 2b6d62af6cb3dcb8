/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.scan;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.rabbitretry.internal.handover.HandoverCallback;

/**
 * Copies on their way while a window is held.
 *
 * @param <T> what a copy is of
 */
final class PendingCopies<T> {

	private final Phaser pending = new Phaser(1);

	private final Queue<T> confirmed = new ConcurrentLinkedQueue<>();

	/**
	 * Begins with a message.
	 * @param message the message
	 * @return to be told of its copy
	 */
	HandoverCallback begin(T message) {
		this.pending.register();
		AtomicBoolean settled = new AtomicBoolean();
		return new HandoverCallback() {

			@Override
			public void confirmed(Duration elapsed) {
				settle(() -> PendingCopies.this.confirmed.add(message));
			}

			@Override
			public void abandoned() {
				settle(() -> {
				});
			}

			private void settle(Runnable how) {
				if (settled.compareAndSet(false, true)) {
					how.run();
					PendingCopies.this.pending.arriveAndDeregister();
				}
			}

		};
	}

	/**
	 * Waits until all copies are settled, or for a while.
	 * @param patience how long
	 * @return those of which the copy is confirmed by now
	 */
	List<T> await(Duration patience) {
		int phase = this.pending.arrive();
		try {
			this.pending.awaitAdvanceInterruptibly(phase, patience.toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (TimeoutException ex) {
			// what is late goes back with the channel
		}
		return List.copyOf(this.confirmed);
	}

}
