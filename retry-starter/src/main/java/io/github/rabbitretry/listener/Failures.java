/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.listener;

import org.springframework.amqp.ImmediateAcknowledgeAmqpException;
import org.springframework.retry.backoff.BackOffInterruptedException;

/**
 * Failures that are none of the message's.
 */
final class Failures {

	private static final int DEEPEST = 32;

	private Failures() {
	}

	/** The listener failed and asks for the delivery to be acknowledged all the same. */
	static boolean asksForAcknowledgement(Throwable failure) {
		return has(failure, ImmediateAcknowledgeAmqpException.class);
	}

	/** The handler, or the wait before its next call, was ended by a stop. */
	static boolean interrupted(Throwable failure, boolean stopping) {
		return has(failure, BackOffInterruptedException.class)
				|| (stopping && has(failure, InterruptedException.class));
	}

	private static boolean has(Throwable failure, Class<? extends Throwable> type) {
		Throwable current = failure;
		for (int depth = 0; current != null && depth < DEEPEST; depth++) {
			if (type.isInstance(current)) {
				return true;
			}
			current = current.getCause();
		}
		return false;
	}

}
