/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.invocation;

import java.time.Duration;
import java.util.function.Predicate;

import org.springframework.retry.backoff.FixedBackOffPolicy;
import org.springframework.retry.policy.MaxAttemptsRetryPolicy;
import org.springframework.retry.support.RetryTemplate;

/**
 * Calls the handler again while its delivery is held, for failures that may be over in a
 * moment. The one place that knows spring-retry.
 */
public final class LocalRetry {

	private final int attempts;

	private final Duration delay;

	private final RetryTemplate template = new RetryTemplate();

	public LocalRetry(int attempts, Duration delay) {
		this.attempts = attempts;
		this.delay = delay;
		FixedBackOffPolicy backOff = new FixedBackOffPolicy();
		backOff.setBackOffPeriod(Math.max(1, delay.toMillis()));
		this.template.setBackOffPolicy(backOff);
		// counts and nothing else: SimpleRetryPolicy walks causes without a bound
		this.template.setRetryPolicy(new MaxAttemptsRetryPolicy(attempts));
	}

	/**
	 * What is left for a message after a call that it shared with others and that failed:
	 * that call counts, but one of its own is made in any case.
	 * @return the rest
	 */
	public LocalRetry afterCommonCall() {
		return new LocalRetry(Math.max(1, this.attempts - 1), this.delay);
	}

	/**
	 * Calls until a call succeeds, or may not be repeated, or all attempts are made.
	 * @param call the call
	 * @param again whether a failure may be over in a moment; asked once before each
	 * further attempt
	 * @throws Throwable what the last call threw
	 */
	public void run(ListenerCall call, Predicate<Throwable> again) throws Throwable {
		try {
			call.run();
		}
		catch (Throwable first) {
			goOn(call, again, first);
		}
	}

	/**
	 * Goes on after the first call.
	 * @param call the call
	 * @param again whether a failure may be over in a moment
	 * @param first what the first call threw
	 * @throws Throwable what the last call threw
	 */
	public void goOn(ListenerCall call, Predicate<Throwable> again, Throwable first) throws Throwable {
		if (this.attempts == 1 || !again.test(first)) {
			throw first;
		}
		repeat(call, again, first);
	}

	/** The template is begun with the first failure, so that success costs nothing. */
	private void repeat(ListenerCall call, Predicate<Throwable> again, Throwable first) throws Throwable {
		this.template.<Void, Throwable>execute((context) -> {
			if (context.getRetryCount() == 0) {
				throw first;
			}
			try {
				call.run();
				return null;
			}
			catch (Throwable next) {
				// not after the last attempt: what is asked may be counted
				if (context.getRetryCount() < this.attempts - 1 && !again.test(next)) {
					context.setExhaustedOnly();
				}
				throw next;
			}
		});
	}

}
