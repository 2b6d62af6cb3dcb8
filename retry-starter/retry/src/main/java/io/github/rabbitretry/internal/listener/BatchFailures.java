/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.listener;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;

import io.github.rabbitretry.handler.BatchItemsFailed;
import io.github.rabbitretry.internal.classify.CauseChain;

import org.springframework.amqp.core.Message;

/**
 * What the failure of a listener of batches says about single messages.
 */
final class BatchFailures {

	private BatchFailures() {
	}

	/**
	 * The failures of named messages.
	 * @param failure what a listener of batches threw
	 * @param size how many messages it was given
	 * @return failures by places; empty if a place is none, as if nothing was named
	 */
	static SortedMap<Integer, Throwable> named(Throwable failure, int size) {
		return CauseChain.find(failure, BatchItemsFailed.class)
			.map(BatchItemsFailed::failures)
			.filter((failures) -> failures.isEmpty() || failures.lastKey() < size)
			.orElse(Collections.emptySortedMap());
	}

	/**
	 * The failure of a message that was in no one's company.
	 * @param failure what a listener of batches threw
	 * @param message the only message that it was given
	 * @return what a listener of single messages would have thrown
	 */
	static Throwable alone(Throwable failure, Message message) {
		SortedMap<Integer, Throwable> named = named(failure, 1);
		return !named.isEmpty() ? named.get(0)
				: BatchItemConverter.failed(failure, List.of(message))
					.map(BatchItemConverter.Failed::failure)
					.orElse(failure);
	}

}
