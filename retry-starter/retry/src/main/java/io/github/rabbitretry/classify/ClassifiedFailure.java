/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.classify;

/**
 * A failure that provides its own classification. If the listener throws an exception of
 * this type, directly or as a cause of others, no other classifier is called.
 */
public interface ClassifiedFailure {

	/**
	 * Returns the classification of the failure.
	 * @return the classification
	 */
	FailureClassification classification();

}
