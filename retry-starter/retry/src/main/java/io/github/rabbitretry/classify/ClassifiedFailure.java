/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.classify;

/**
 * A failure that says itself what it is. If the listener throws an exception of this
 * type, bare or as a cause of others, nobody else is asked.
 */
public interface ClassifiedFailure {

	/**
	 * What the failure is.
	 * @return the classification
	 */
	FailureClassification classification();

}
