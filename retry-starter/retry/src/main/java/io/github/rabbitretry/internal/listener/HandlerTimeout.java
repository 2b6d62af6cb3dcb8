/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.listener;

import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.github.rabbitretry.internal.handler.HandlerTimeoutException;
import io.github.rabbitretry.internal.event.BestEffortLog;
import io.github.rabbitretry.internal.handover.ReceivedMessage;
import io.github.rabbitretry.internal.policy.HandlerTime;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * The timeout of one message type's handler, and the calls that it is about.
 */
final class HandlerTimeout {

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
	private final Map<Handled, Integer> handled = new ConcurrentHashMap<>();

	HandlerTimeout(String messageType, HandlerTime time) {
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
	 * @return to be closed when all calls for the delivery have ended, or {@code null} if
	 * the message has to wait
	 */
	@Nullable Turn tryTurn(ReceivedMessage message, boolean redelivered) {
		Handled key = new Handled(message.properties().getMessageId(), message.body());
		if (redelivered) {
			return (this.handled.putIfAbsent(key, 1) == null) ? () -> leave(key) : null;
		}
		this.handled.merge(key, 1, Integer::sum);
		return () -> leave(key);
	}

	private void leave(Handled key) {
		this.handled.computeIfPresent(key, (same, times) -> (times > 1) ? times - 1 : null);
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
				"The handler of '%s' goes on %s after its handler-timeout (%s): it ignores the interrupt. Its message is held and its consumer handles no other until it returns. Its thread is here:"
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

	/** A message is handled, from before the first call of its handler to the last. */
	interface Turn extends AutoCloseable {

		@Override
		void close();

	}

	/** What a message is known by. */
	private record Handled(@Nullable String messageId, byte[] body) {

		@Override
		public boolean equals(Object other) {
			return other instanceof Handled handled && Objects.equals(this.messageId, handled.messageId)
					&& Arrays.equals(this.body, handled.body);
		}

		@Override
		public int hashCode() {
			return 31 * Objects.hashCode(this.messageId) + this.body.length;
		}

	}

}
