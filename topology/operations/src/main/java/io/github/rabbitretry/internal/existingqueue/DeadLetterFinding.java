/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.existingqueue;

/**
 * Where an existing work queue sends its dead letters to.
 *
 * @param queue the queue's name
 * @param kind where
 * @param text for the log, empty if all is well
 * @param lasting whether only an operator deletes the queue, as far as known
 */
record DeadLetterFinding(String queue, Kind kind, String text, boolean lasting) {

	/** Where dead letters go. */
	enum Kind {

		/** To the policy's dead-letter queue. */
		OURS,

		/** To an exchange of another application. */
		ELSEWHERE,

		/** Nowhere. */
		NONE,

		/** It is unknown. */
		UNKNOWN,

		/** There is no such queue. */
		MISSING

	}

}
