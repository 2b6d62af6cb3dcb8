/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.invocation;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.github.rabbitretry.internal.handler.HandlerTimeoutException;
import io.github.rabbitretry.internal.classify.CauseChain;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.listener.ListenerExecutionFailedException;

/**
 * One call of a handler that may take so long and no longer. It runs on the thread that
 * made it; another one looks at it now and then and interrupts that thread, once.
 * <p>
 * Both hold the call's lock, the one while it interrupts, the other when it ends the call
 * and takes the interrupt off its thread. So an interrupt comes before the end or not at
 * all, and never reaches what the thread does next.
 */
final class TimedCall {

	private static final ThreadLocal<@Nullable TimedCall> current = new ThreadLocal<>();

	private final HandlerTimeout limit;

	private final Thread thread = Thread.currentThread();

	private final long begunAt;

	private final long most;

	private long allowed;

	private State state = State.RUNS;

	/** When it was interrupted; means nothing before. */
	private long interruptedAt;

	/**
	 * Begins a call.
	 * @param limit how long it may take
	 * @param allowed the same in nanoseconds
	 * @param most how many nanoseconds it can be extended to
	 * @param now when it begins, by {@link System#nanoTime()}
	 */
	TimedCall(HandlerTimeout limit, long allowed, long most, long now) {
		this.limit = limit;
		this.allowed = allowed;
		this.most = Math.max(allowed, most);
		this.begunAt = now;
		current.set(this);
	}

	/**
	 * The call that this thread makes.
	 * @return the call, or {@code null} if there is none that is timed
	 */
	static @Nullable TimedCall current() {
		return current.get();
	}

	/**
	 * Lets the call take longer, unless it is interrupted or has ended.
	 * @param more how much longer, not negative
	 */
	synchronized void extend(Duration more) {
		if (this.state == State.RUNS) {
			long left = this.most - this.allowed;
			this.allowed += (more.compareTo(Duration.ofNanos(left)) < 0) ? more.toNanos() : left;
		}
	}

	/**
	 * Interrupts the call if it takes too long.
	 * @param now the current time
	 * @param patience how long an interrupted call may go on before that is reported
	 * @return {@code true} once, when it is to be reported
	 */
	synchronized boolean look(long now, long patience) {
		if (this.state == State.RUNS && now - this.begunAt >= this.allowed) {
			this.state = State.INTERRUPTED;
			this.interruptedAt = now;
			this.thread.interrupt();
		}
		else if (this.state == State.INTERRUPTED && now - this.interruptedAt >= patience) {
			this.state = State.REPORTED;
			return true;
		}
		return false;
	}

	/**
	 * Whether the call is still running although it was interrupted long ago.
	 * @return {@code true} from its report to its end
	 */
	synchronized boolean overdue() {
		return this.state == State.REPORTED;
	}

	/**
	 * Whether the call took too long.
	 * @return {@code true} from its interrupt on, after its end too
	 */
	synchronized boolean timedOut() {
		return this.state.timedOut;
	}

	/**
	 * To be called by the call's thread when the handler has returned. Means nothing
	 * after the end: an error handler may have answered a failure since.
	 * @throws HandlerTimeoutException if it took too long
	 */
	void returned() {
		if (end() && timedOut()) {
			throw this.limit.exceeded(null);
		}
	}

	/**
	 * To be called by the call's thread when the handler has failed.
	 * @param <T> the type of failure
	 * @param failure what it threw
	 * @return what is to be thrown
	 * @throws HandlerTimeoutException if it took too long, unless that was said before
	 */
	<T extends Throwable> T failed(T failure) {
		end();
		if (timedOut() && !(failure instanceof Error)
				&& CauseChain.find(failure, HandlerTimeoutException.class).isEmpty()) {
			boolean wrapped = failure instanceof ListenerExecutionFailedException && failure.getCause() != null;
			throw this.limit.exceeded(wrapped ? failure.getCause() : failure);
		}
		return failure;
	}

	/**
	 * From now on nothing interrupts the thread, and nothing has.
	 * @return {@code false} if the call had ended before
	 */
	private boolean end() {
		State before;
		synchronized (this) {
			before = this.state;
			this.state = before.ended();
			if (before == State.INTERRUPTED || before == State.REPORTED) {
				Thread.interrupted();
			}
		}
		if (before == this.state) {
			return false;
		}
		current.remove();
		this.limit.ended(this);
		if (before == State.REPORTED) {
			this.limit.returnedAfterReport(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - this.interruptedAt));
		}
		return true;
	}

	/**
	 * Where the call is.
	 * @return a failure with the frames of its thread, innermost first
	 */
	Throwable place() {
		Throwable place = new Throwable("thread '%s'".formatted(this.thread.getName()));
		place.setStackTrace(this.thread.getStackTrace());
		return place;
	}

	private enum State {

		RUNS(false), INTERRUPTED(true), REPORTED(true), ENDED(false), ENDED_LATE(true);

		private final boolean timedOut;

		State(boolean timedOut) {
			this.timedOut = timedOut;
		}

		private State ended() {
			return this.timedOut ? ENDED_LATE : ENDED;
		}

	}

}
