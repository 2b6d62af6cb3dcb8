/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.classify;

import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.classify.FailureClassification;

/**
 * What the built-in knowledge takes its reasons for.
 */
public final class BuiltInReasons {

	private static final Map<String, FailureClass> CLASSES = Stream
		.of(Classifications.DESERIALIZATION, Classifications.UNKNOWN_TYPE, Classifications.VALIDATION,
				Classifications.REJECTED, Classifications.REPLY, Classifications.ACKNOWLEDGEMENT,
				Classifications.DOWNSTREAM_REJECTED, Classifications.DATA_ACCESS, Classifications.TIMEOUT,
				Classifications.HANDLER_TIMEOUT, Classifications.UNAVAILABLE, Classifications.RATE_LIMITED,
				Classifications.OPTIMISTIC_LOCK, Classifications.LOCK, Classifications.UNKNOWN)
		.collect(Collectors.toMap(FailureClassification::reason, FailureClassification::failureClass));

	private BuiltInReasons() {
	}

	/**
	 * The failure class that a reason has unless a rule says otherwise.
	 * @param reason the reason
	 * @return its class, or empty if the built-in knowledge does not give that reason
	 */
	public static Optional<FailureClass> failureClass(String reason) {
		return Optional.ofNullable(CLASSES.get(reason));
	}

}
