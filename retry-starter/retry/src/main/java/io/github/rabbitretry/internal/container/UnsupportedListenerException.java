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

	private final boolean ofContainerRetry;

	public UnsupportedListenerException(String listener, String queue, String problem, String remedy) {
		this(problem(listener, queue, problem), remedy, false);
	}

	private UnsupportedListenerException(String problem, String remedy, boolean ofContainerRetry) {
		super(problem + " " + remedy);
		this.problem = problem;
		this.remedy = remedy;
		this.ofContainerRetry = ofContainerRetry;
	}

	/** For a retry in the container's advice chain, which other listeners may share. */
	public static UnsupportedListenerException ofContainerRetry(String listener, String queue, String problem,
			String remedy) {
		return new UnsupportedListenerException(problem(listener, queue, problem), remedy, true);
	}

	private static String problem(String listener, String queue, String problem) {
		return "Listener '%s' on queue '%s' can't be retried safely: %s.".formatted(listener, queue, problem);
	}

	/** The same, with more to do. */
	public UnsupportedListenerException with(String more) {
		return new UnsupportedListenerException(this.problem, this.remedy + more, this.ofContainerRetry);
	}

	public boolean isOfContainerRetry() {
		return this.ofContainerRetry;
	}

	public static UnsupportedListenerException ofBatches(String method) {
		return new UnsupportedListenerException(
				"Listener method %s has a RetryContext argument, but receives batches, which have no attempt of their own."
					.formatted(method),
				"Remove the argument, or let the method take single messages.", false);
	}

	public String problem() {
		return this.problem;
	}

	public String remedy() {
		return this.remedy;
	}

}
