/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.classify;

import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.classify.FailureClassification;
import io.github.rabbitretry.classify.Reasons;

/**
 * The classifications that the built-in knowledge hands out.
 */
final class Classifications {

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

	private Classifications() {
	}

}
