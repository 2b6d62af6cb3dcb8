/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.invocation;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;

import io.github.rabbitretry.handler.BatchItemsFailedException;
import io.github.rabbitretry.internal.classify.CauseChain;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.listener.ListenerExecutionFailedException;

/**
 * What the failure of a listener of batches says about single messages.
 */
public final class BatchFailures {

	private BatchFailures() {
	}

	/**
	 * The failures of named messages. Not of a {@link BatchItemsFailedException} that
	 * another exception wraps: a transaction template that wraps it has rolled back what
	 * was done for the messages that are not named.
	 * @param failure what a listener of batches threw
	 * @param size how many messages it was given
	 * @return failures by places; empty if a place is none, as if nothing was named
	 */
	public static SortedMap<Integer, Throwable> named(Throwable failure, int size) {
		Throwable thrown = (failure instanceof ListenerExecutionFailedException) ? failure.getCause() : failure;
		return named((thrown instanceof BatchItemsFailedException failed) ? failed : null, size);
	}

	private static SortedMap<Integer, Throwable> named(@Nullable BatchItemsFailedException failed, int size) {
		if (failed == null || failed.failures().isEmpty() || failed.failures().lastKey() >= size) {
			return Collections.emptySortedMap();
		}
		return failed.failures();
	}

	/**
	 * The failure of a message that was in no one's company.
	 * @param failure what a listener of batches threw
	 * @param message the only message that it was given
	 * @return what a listener of single messages would have thrown
	 */
	static Throwable alone(Throwable failure, Message message) {
		SortedMap<Integer, Throwable> named = named(
				CauseChain.find(failure, BatchItemsFailedException.class).orElse(null), 1);
		return !named.isEmpty() ? named.get(0)
				: BatchItemConverter.failed(failure, List.of(message))
					.map(BatchItemConverter.Failed::failure)
					.orElse(failure);
	}

}
