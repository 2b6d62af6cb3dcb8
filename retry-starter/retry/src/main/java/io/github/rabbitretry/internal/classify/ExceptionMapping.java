/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.classify;

import java.util.Optional;

import io.github.rabbitretry.classify.FailureClassification;

/**
 * What is known about one type of exception.
 *
 * @param reading what an exception of the type says; empty if it says nothing and its
 * cause is to be asked
 * @param yields whether a retryable failure beneath is the truer one: the type is a
 * wrapper with an opinion of its own, or a guess that a message can never succeed
 */
record ExceptionMapping(Reading reading, boolean yields) {

	static ExceptionMapping conclusive(Reading reading) {
		return new ExceptionMapping(reading, false);
	}

	static ExceptionMapping yielding(Reading reading) {
		return new ExceptionMapping(reading, true);
	}

	/**
	 * Reads one exception, without its causes.
	 */
	@FunctionalInterface
	interface Reading {

		Optional<FailureClassification> read(Throwable failure);

		static Reading always(FailureClassification classification) {
			Optional<FailureClassification> answer = Optional.of(classification);
			return (failure) -> answer;
		}

		static Reading nothing() {
			return (failure) -> Optional.empty();
		}

		default Reading orElse(FailureClassification classification) {
			return (failure) -> read(failure).or(() -> Optional.of(classification));
		}

	}

}
