/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.ordering;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

import io.github.rabbitretry.internal.health.HealthProblem;
import io.github.rabbitretry.internal.message.LogText;
import io.github.rabbitretry.internal.message.ReceivedMessage;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.thread.DaemonThreads;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;

/**
 * The end of consuming at a message that would be parked, with {@code when-parked:
 * block}, until the container is started again.
 */
final class OrderBlock {

	private static final Log logger = LogFactory.getLog(OrderedHandling.class);

	private final MessagePolicy policy;

	private final AbstractMessageListenerContainer container;

	private final AtomicReference<@Nullable Block> current = new AtomicReference<>();

	OrderBlock(MessagePolicy policy, AbstractMessageListenerContainer container) {
		this.policy = policy;
		this.container = container;
	}

	/**
	 * Stops the container, on another thread: that of a handler can't wait for itself.
	 * @param message the message
	 * @param reason why it would be parked
	 */
	void begin(ReceivedMessage message, String reason) {
		String at = "message %s, %s".formatted(LogText.of(String.valueOf(message.properties().getMessageId())), reason);
		logger.warn(
				"The listener of '%s' is stopped: %s, which would be parked, keeps its place in queue '%s'. Those behind it wait until the listener is started again"
					.formatted(this.policy.messageType(), at, message.queue()));
		CountDownLatch stopped = new CountDownLatch(1);
		Block block = new Block(at, stopped);
		this.current.set(block);
		try {
			DaemonThreads.start("rabbit-retry-order-block", () -> {
				try {
					this.container.stop();
				}
				finally {
					stopped.countDown();
				}
			});
		}
		catch (Throwable ex) {
			// nothing would stop it
			this.current.compareAndSet(block, null);
			throw ex;
		}
	}

	/** At which message consuming ended, or {@code null} if it continues. */
	@Nullable HealthProblem problem() {
		Block block = this.current.get();
		return (block != null && !ended(block)) ? new HealthProblem("ordering-blocked", this.policy.messageType(),
				"its listener is stopped at a message that would be parked: " + block.message()) : null;
	}

	/** To be called periodically: starting the container is not reported. */
	void endIfStarted() {
		Block block = this.current.get();
		if (block != null) {
			ended(block);
		}
	}

	/** Whether the container runs again, after it was stopped. */
	private boolean ended(Block block) {
		if (block.stopped().getCount() > 0 || !this.container.isActive() || !this.container.isRunning()) {
			return false;
		}
		// a new one may have been set meanwhile
		this.current.compareAndSet(block, null);
		return true;
	}

	/**
	 * Waits for the stop that has begun here. Another one meanwhile would not wait, and
	 * the start that follows would fail.
	 * @param deadline until when, as of {@link System#nanoTime()}; asked only if there is
	 * such a stop
	 */
	void awaitStop(LongSupplier deadline) {
		Block block = this.current.get();
		if (block != null) {
			try {
				if (!block.stopped().await(deadline.getAsLong() - System.nanoTime(), TimeUnit.NANOSECONDS)) {
					logger.debug("The end of consuming takes longer than a stop may");
				}
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}
	}

	/**
	 * The end of consuming.
	 *
	 * @param message at which message, and why
	 * @param stopped once the container's stop has ended
	 */
	private record Block(String message, CountDownLatch stopped) {
	}

}
