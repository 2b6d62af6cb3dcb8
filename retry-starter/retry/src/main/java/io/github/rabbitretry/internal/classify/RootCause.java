/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.classify;

import org.springframework.amqp.listener.ListenerExecutionFailedException;

/**
 * The innermost exception of a failure, which says best what went wrong.
 */
public final class RootCause {

	private RootCause() {
	}

	/**
	 * Finds it.
	 * @param failure the failure, wrappers of Spring AMQP included
	 * @return the innermost cause that is no such wrapper, or the failure itself
	 */
	public static Throwable of(Throwable failure) {
		Throwable root = failure;
		for (Throwable cause : HypotheticalFailure.chain(failure)) {
			// a wrapper without a cause must do, but a cycle back to one must not
			root = (cause instanceof ListenerExecutionFailedException) ? root : cause;
		}
		return root;
	}

}
