/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.invocation;

import io.github.rabbitretry.internal.classify.CauseChain;
import io.github.rabbitretry.internal.handler.HandlerTimeoutException;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.ImmediateAcknowledgeAmqpException;
import org.springframework.retry.backoff.BackOffInterruptedException;

/**
 * Failures that are not the message's.
 */
public final class InfrastructureFailures {

	private InfrastructureFailures() {
	}

	/** The listener failed and asks for the delivery to be acknowledged all the same. */
	public static boolean asksForAcknowledgement(Throwable failure) {
		return has(failure, ImmediateAcknowledgeAmqpException.class);
	}

	/** The handler, or the wait before its next call, was ended by a stop. */
	public static boolean interrupted(Throwable failure, boolean stopping) {
		return stopping && (has(failure, BackOffInterruptedException.class) || has(failure, InterruptedException.class))
				&& !has(failure, HandlerTimeoutException.class);
	}

	/**
	 * What the handler threw, where only the wait before its next call was interrupted. A
	 * handler that leaves its thread interrupted must not get its message back at once.
	 */
	public static Throwable ofHandler(Throwable failure, @Nullable Throwable last) {
		return (failure instanceof BackOffInterruptedException && last != null) ? last : failure;
	}

	private static boolean has(Throwable failure, Class<? extends Throwable> type) {
		return CauseChain.find(failure, type).isPresent();
	}

}
