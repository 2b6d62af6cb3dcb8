/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.invocation;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.CRC32C;

import io.github.rabbitretry.internal.handler.HandlerTimeoutException;
import io.github.rabbitretry.internal.logging.BestEffortLog;
import io.github.rabbitretry.internal.message.ReceivedMessage;
import io.github.rabbitretry.internal.policy.HandlerTime;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * The timeout of one message type's handler, and the calls that it is about.
 */
public final class HandlerTimeout {

	private static final Log logger = LogFactory.getLog(HandlerTimeout.class);

	/** How often calls are looked at, as a part of the timeout, and at the least. */
	private static final int LOOKS = 10;

	private static final Duration LONGEST_PERIOD = Duration.ofMillis(100);

	/** Within it, a handler that was interrupted may tidy up. */
	private static final Duration LONGEST_PATIENCE = Duration.ofSeconds(5);

	private final String messageType;

	private final HandlerTime time;

	private final long patience;

	private final Set<TimedCall> calls = ConcurrentHashMap.newKeySet();

	/** What is being handled, and how often: a producer may send the same twice. */
	private final Map<Handled, Users> handled = new ConcurrentHashMap<>();

	public HandlerTimeout(String messageType, HandlerTime time) {
		this.messageType = messageType;
		this.time = time;
		this.patience = shorter(time.timeout(), LONGEST_PATIENCE).toNanos();
	}

	/**
	 * How often calls are to be looked at: a call is interrupted later by so much at
	 * most.
	 */
	Duration period() {
		return shorter(this.time.timeout().dividedBy(LOOKS), LONGEST_PERIOD);
	}

	private static Duration shorter(Duration one, Duration other) {
		return (one.compareTo(other) < 0) ? one : other;
	}

	/**
	 * Begins a call on this thread.
	 * @param firstCallAt when the first call for the delivery began
	 * @return the call, to be ended on this thread
	 */
	TimedCall begin(long firstCallAt) {
		long now = System.nanoTime();
		TimedCall call = new TimedCall(this, this.time.timeout().toNanos(),
				this.time.longestHold().toNanos() - (now - firstCallAt), now);
		this.calls.add(call);
		return call;
	}

	/**
	 * Begins to handle a message. One that was delivered before has to wait while the
	 * delivery that the broker took back is still handled here.
	 * @param message the message
	 * @param redelivered whether it was delivered before
	 * @return to be closed when all calls for the delivery have ended, or when it waits
	 * no longer
	 */
	public Turn turn(ReceivedMessage message, boolean redelivered) {
		return new Turn(Handled.of(message), redelivered);
	}

	void ended(TimedCall call) {
		this.calls.remove(call);
	}

	HandlerTimeoutException exceeded(@Nullable Throwable failure) {
		return new HandlerTimeoutException(this.messageType, this.time.timeout(), failure);
	}

	/** Interrupts the calls that take too long. */
	void look() {
		long now = System.nanoTime();
		for (TimedCall call : this.calls) {
			try {
				if (call.look(now, this.patience)) {
					report(call);
				}
			}
			catch (Throwable ex) {
				BestEffortLog.error(logger, "A handler of '%s' could not be interrupted".formatted(this.messageType),
						ex);
			}
		}
	}

	private void report(TimedCall call) {
		logger.warn(
				"The handler of '%s' is still running %s after its handler-timeout (%s): it ignores the interrupt. Its message is held and its consumer handles no other until it returns. Its thread is here:"
					.formatted(this.messageType, Duration.ofNanos(this.patience), this.time.timeout()),
				call.place());
	}

	void returnedAfterReport(long millis) {
		logger.warn("The handler of '%s' that ignored its interrupt has returned %s after it"
			.formatted(this.messageType, Duration.ofMillis(millis)));
	}

	/** Calls that go on although they were interrupted. */
	int overdue() {
		return (int) this.calls.stream().filter(TimedCall::overdue).count();
	}

	/**
	 * A message is handled, from before the first call of its handler to the last. While
	 * one that was delivered before waits for its turn, equal messages with an id wait as
	 * well.
	 */
	public final class Turn implements AutoCloseable {

		private final Handled key;

		private final boolean redelivered;

		private boolean waits;

		private boolean taken;

		private Turn(Handled key, boolean redelivered) {
			this.key = key;
			this.redelivered = redelivered;
		}

		/**
		 * Takes the turn if it has come.
		 * @return {@code false} if the message has to wait
		 */
		public boolean take() {
			HandlerTimeout.this.handled.compute(this.key, (same, now) -> {
				Users users = (now != null) ? now : Users.NONE;
				// those without an id may be many, and are equal by chance
				boolean free = this.redelivered ? users.handled() == 0
						: users.waiting() == 0 || this.key.messageId() == null;
				if (free) {
					this.taken = true;
					return users.plus(1, this.waits ? -1 : 0);
				}
				boolean begins = this.redelivered && !this.waits;
				this.waits |= begins;
				return users.plus(0, begins ? 1 : 0);
			});
			return this.taken;
		}

		@Override
		public void close() {
			HandlerTimeout.this.handled.computeIfPresent(this.key, (same, users) -> {
				Users rest = this.taken ? users.plus(-1, 0) : users.plus(0, this.waits ? -1 : 0);
				return rest.equals(Users.NONE) ? null : rest;
			});
		}

	}

	/**
	 * Of equal messages.
	 *
	 * @param handled how many are handled
	 * @param waiting how many that were delivered before wait for that
	 */
	private record Users(int handled, int waiting) {

		static final Users NONE = new Users(0, 0);

		Users plus(int more, int moreWaiting) {
			return new Users(this.handled + more, this.waiting + moreWaiting);
		}

	}

	/**
	 * What a message is known by. Not by its body itself, which a handler may change.
	 *
	 * @param messageId the message id
	 * @param length how long the body is
	 * @param checksum the body's
	 */
	private record Handled(@Nullable String messageId, int length, long checksum) {

		static Handled of(ReceivedMessage message) {
			CRC32C checksum = new CRC32C();
			checksum.update(message.body());
			return new Handled(message.properties().getMessageId(), message.body().length, checksum.getValue());
		}

	}

}
