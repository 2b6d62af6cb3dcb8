/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.container;

/**
 * A listener is written or configured in a way that makes it unsafe to retry its
 * messages, or to tell it of retries. It fails startup.
 */
public final class UnsupportedListenerException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final String problem;

	private final String remedy;

	public UnsupportedListenerException(String listener, String queue, String problem, String remedy) {
		super("Listener '%s' on queue '%s' can't be retried safely: %s. %s".formatted(listener, queue, problem,
				remedy));
		this.problem = "Listener '%s' on queue '%s' can't be retried safely: %s.".formatted(listener, queue, problem);
		this.remedy = remedy;
	}

	private UnsupportedListenerException(String problem, String remedy) {
		super(problem + " " + remedy);
		this.problem = problem;
		this.remedy = remedy;
	}

	public static UnsupportedListenerException ofBatches(String method) {
		return new UnsupportedListenerException(
				"Listener method %s has a RetryContext argument, but receives batches, which have no attempt of their own."
					.formatted(method),
				"Remove the argument, or let the method take single messages.");
	}

	public String problem() {
		return this.problem;
	}

	public String remedy() {
		return this.remedy;
	}

}
