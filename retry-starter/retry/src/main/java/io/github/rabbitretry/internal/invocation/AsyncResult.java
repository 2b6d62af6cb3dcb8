/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.invocation;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.amqp.utils.JavaUtils;
import org.springframework.amqp.utils.MonoHandler;

/**
 * A listener's result that may be there after the listener's return: a future, a
 * completion stage or a {@code Mono}, which is what Spring makes of a Kotlin function
 * that suspends.
 */
public final class AsyncResult {

	private static final long PERIOD = 100;

	private AsyncResult() {
	}

	static boolean is(@Nullable Object value) {
		return value instanceof Future || value instanceof CompletionStage
				|| (JavaUtils.MONO_PRESENT && MonoHandler.isMono(value));
	}

	/**
	 * Whether a method may return such a result.
	 * @param type what it is declared to return
	 * @return {@code false} if it can't
	 */
	public static boolean isPossible(Class<?> type) {
		return Future.class.isAssignableFrom(type) || CompletionStage.class.isAssignableFrom(type)
				|| type.isAssignableFrom(CompletableFuture.class)
				// what a Mono is, by name since it may be missing
				|| type.getName().equals("org.reactivestreams.Publisher")
				|| (JavaUtils.MONO_PRESENT && MonoHandler.isMono(type));
	}

	/**
	 * Waits for a result, as long as a handler may take that computes it itself. While
	 * its container stops, it waits no longer than the container does for its threads. A
	 * result that is not waited for any longer is cancelled.
	 * @param later the result
	 * @param patience about the container
	 * @return the value
	 * @throws InterruptedException if the container stopped, or the thread is interrupted
	 * while it waits; that the listener's method left it interrupted does not count,
	 * since the result would be computed once more beside the one that is on its way
	 * @throws Exception what the result is instead of a value
	 */
	static @Nullable Object await(Object later, Patience patience) throws Exception {
		Future<?> future = future(later);
		if (!patience.stopping().getAsBoolean()) {
			Thread.interrupted();
		}
		try {
			return get(future, patience);
		}
		catch (InterruptedException ex) {
			cancel(later, future);
			throw ex;
		}
		catch (ExecutionException ex) {
			throw thrown(ex);
		}
	}

	private static @Nullable Object get(Future<?> future, Patience patience)
			throws InterruptedException, ExecutionException {
		TimedCall timed = TimedCall.current();
		long stopSeenAt = 0;
		while (true) {
			if (timed != null && timed.timedOut()) {
				// its interrupt may have come before the wait
				throw new InterruptedException("The listener's result is not there in time");
			}
			try {
				return future.get(PERIOD, TimeUnit.MILLISECONDS);
			}
			catch (TimeoutException ex) {
				long now = System.nanoTime();
				if (!patience.stopping().getAsBoolean()) {
					stopSeenAt = 0;
				}
				else if (stopSeenAt == 0) {
					stopSeenAt = now;
				}
				else if (now - stopSeenAt > patience.whileStopping().get().toNanos()) {
					throw new InterruptedException("The container stops, and the listener's result is not there");
				}
			}
		}
	}

	/**
	 * The computing thread may check whether it is still wanted; nothing waits for that.
	 */
	private static void cancel(Object later, Future<?> future) {
		try {
			Future<?> wanted = (later instanceof CompletionStage<?> stage) ? stage.toCompletableFuture() : future;
			wanted.cancel(true);
		}
		catch (RuntimeException ex) {
			// some stages are no futures
		}
	}

	private static Future<?> future(Object later) {
		// a stage first: some are futures that refuse to be asked for their value
		if (!(later instanceof CompletionStage<?>) && later instanceof Future<?> future) {
			return future;
		}
		if (!(later instanceof CompletionStage<?> stage)) {
			return Subscription.of(later);
		}
		CompletableFuture<@Nullable Object> future = new CompletableFuture<>();
		stage.whenComplete((value, failure) -> {
			if (failure != null) {
				future.completeExceptionally(failure);
			}
			else {
				future.complete(value);
			}
		});
		return future;
	}

	private static Exception thrown(ExecutionException ex) {
		Throwable cause = ex.getCause();
		if (cause instanceof Error error) {
			throw error;
		}
		return (cause instanceof Exception exception) ? exception : ex;
	}

	/** Not loaded where there is no Reactor. */
	private static final class Subscription {

		/** Its cancellation is that of the subscription. */
		static Future<?> of(Object mono) {
			return ((Mono<?>) mono).toFuture();
		}

	}

	/**
	 * How long a result is waited for.
	 *
	 * @param stopping whether the container stops, or has stopped
	 * @param whileStopping the longest wait from then on; longer in an outage's pause
	 */
	public record Patience(BooleanSupplier stopping, Supplier<Duration> whileStopping) {
	}

}
