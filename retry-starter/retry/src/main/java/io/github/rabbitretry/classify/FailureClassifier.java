/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.classify;

import java.util.Optional;

/**
 * Classifies failures. Beans of this type are called first, before the configured rules
 * and the built-in classification.
 * <p>
 * It is called on listener threads, concurrently, and only for deliveries that failed. If
 * it throws an exception, the exception is logged and the failure counts as not
 * recognized.
 */
@FunctionalInterface
public interface FailureClassifier {

	/**
	 * Classifies a failure.
	 * @param failure what the listener threw, wrappers of Spring AMQP included
	 * @param delivery the delivery that failed
	 * @return the classification, or empty to leave the failure to the next classifier
	 */
	Optional<FailureClassification> classify(Throwable failure, FailedDelivery delivery);

}
