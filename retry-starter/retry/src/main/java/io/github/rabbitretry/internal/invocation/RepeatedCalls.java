/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.invocation;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.github.rabbitretry.internal.logging.RateLimitedLog;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Notices that a handler is called again although its failure has not come back to the
 * {@link RetryAdvice}: by a retry in between that can't be seen at startup, as a lambda
 * around a RetryTemplate.
 */
final class RepeatedCalls {

	private static final Log logger = LogFactory.getLog(RepeatedCalls.class);

	private static final Duration QUIET = Duration.ofMinutes(10);

	private static final ThreadLocal<@Nullable RepeatedCalls> current = new ThreadLocal<>();

	private static final Map<String, RateLimitedLog> warnings = new ConcurrentHashMap<>();

	private final @Nullable String queue;

	private int failedAt;

	RepeatedCalls(@Nullable String queue) {
		this.queue = queue;
	}

	/**
	 * To be called before the container's listener is, with its advices.
	 * @param calls of one delivery
	 * @return what was bound before, for {@link #restore}
	 */
	static @Nullable RepeatedCalls bind(RepeatedCalls calls) {
		RepeatedCalls before = current.get();
		calls.failedAt = 0;
		current.set(calls);
		return before;
	}

	static void restore(@Nullable RepeatedCalls before) {
		current.set(before);
	}

	/**
	 * To be called before a handler is called.
	 * @param place where that is seen
	 */
	static void entering(Place place) {
		RepeatedCalls calls = current.get();
		if (calls != null && (calls.failedAt & place.bit()) != 0) {
			calls.warn();
		}
	}

	/**
	 * To be called when the handler has failed.
	 * @param place where that is seen
	 */
	static void failed(Place place) {
		RepeatedCalls calls = current.get();
		if (calls != null) {
			calls.failedAt |= place.bit();
		}
	}

	private void warn() {
		String name = String.valueOf(this.queue);
		warnings.computeIfAbsent(name, (any) -> new RateLimitedLog(logger, QUIET))
			.warn(() -> ("The handler of queue '%s' is called again within one attempt: a second retry is nested in ours "
					+ "and multiplies the handler's calls. Remove it from the container factory's advice chain or from "
					+ "the listener's advices; local-attempts of the message policy does the same")
				.formatted(name));
	}

	/** Where calls of a handler pass by. */
	enum Place {

		/** Inside the container's advices. */
		LISTENER,

		/** Inside the advices of the listener's bean. */
		METHOD;

		private int bit() {
			return 1 << ordinal();
		}

	}

}
