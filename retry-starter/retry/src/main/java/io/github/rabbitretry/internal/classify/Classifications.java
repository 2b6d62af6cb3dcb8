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
import io.github.rabbitretry.classify.Reasons;

/**
 * The classifications that the built-in knowledge hands out.
 */
public final class Classifications {

	static final FailureClassification DESERIALIZATION = FailureClassification.of(FailureClass.PERMANENT_TECHNICAL,
			Reasons.DESERIALIZATION_FAILED);

	static final FailureClassification UNKNOWN_TYPE = FailureClassification.of(FailureClass.PERMANENT_TECHNICAL,
			Reasons.UNKNOWN_MESSAGE_TYPE);

	static final FailureClassification VALIDATION = FailureClassification.of(FailureClass.PERMANENT_TECHNICAL,
			Reasons.VALIDATION_FAILED);

	static final FailureClassification REJECTED = FailureClassification.of(FailureClass.PERMANENT_TECHNICAL,
			Reasons.REJECTED);

	static final FailureClassification REPLY = FailureClassification.of(FailureClass.PERMANENT_TECHNICAL,
			Reasons.REPLY_FAILED);

	static final FailureClassification ACKNOWLEDGEMENT = FailureClassification.of(FailureClass.PERMANENT_TECHNICAL,
			Reasons.ACKNOWLEDGEMENT_REFUSED);

	static final FailureClassification DOWNSTREAM_REJECTED = FailureClassification.of(FailureClass.PERMANENT_TECHNICAL,
			Reasons.DOWNSTREAM_REJECTED);

	static final FailureClassification DATA_ACCESS = FailureClassification.of(FailureClass.PERMANENT_TECHNICAL,
			Reasons.DATA_ACCESS_FAILED);

	static final FailureClassification TIMEOUT = FailureClassification.of(FailureClass.TRANSIENT,
			Reasons.DOWNSTREAM_TIMEOUT);

	static final FailureClassification HANDLER_TIMEOUT = FailureClassification.of(FailureClass.TRANSIENT,
			Reasons.HANDLER_TIMEOUT);

	static final FailureClassification UNAVAILABLE = FailureClassification.of(FailureClass.TRANSIENT,
			Reasons.DOWNSTREAM_UNAVAILABLE);

	static final FailureClassification RATE_LIMITED = FailureClassification.of(FailureClass.CONTENTION,
			Reasons.RATE_LIMITED);

	static final FailureClassification OPTIMISTIC_LOCK = FailureClassification.of(FailureClass.CONTENTION,
			Reasons.OPTIMISTIC_LOCK_CONFLICT);

	static final FailureClassification LOCK = FailureClassification.of(FailureClass.CONTENTION, Reasons.LOCK_CONFLICT);

	static final FailureClassification UNKNOWN = FailureClassification.of(FailureClass.UNKNOWN,
			Reasons.UNKNOWN_FAILURE);

	private static final Map<String, FailureClass> CLASSES = Stream
		.of(DESERIALIZATION, UNKNOWN_TYPE, VALIDATION, REJECTED, REPLY, ACKNOWLEDGEMENT, DOWNSTREAM_REJECTED,
				DATA_ACCESS, TIMEOUT, HANDLER_TIMEOUT, UNAVAILABLE, RATE_LIMITED, OPTIMISTIC_LOCK, LOCK, UNKNOWN)
		.collect(Collectors.toMap(FailureClassification::reason, FailureClassification::failureClass));

	private Classifications() {
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
