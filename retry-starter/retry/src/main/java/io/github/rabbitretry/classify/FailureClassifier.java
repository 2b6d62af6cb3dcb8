/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.classify;

import java.util.Optional;

/**
 * Says what a failure is. A bean of this type is asked first, before the rules of the
 * configuration and the built-in knowledge.
 * <p>
 * It is called on listener threads, concurrently, and only for deliveries that failed. An
 * exception that it throws counts as "not known to me" and is logged.
 */
@FunctionalInterface
public interface FailureClassifier {

	/**
	 * Classifies a failure.
	 * @param failure what the listener threw, wrappers of Spring AMQP included
	 * @param delivery what was being delivered
	 * @return the classification, or empty to leave the failure to the next classifier
	 */
	Optional<FailureClassification> classify(Throwable failure, FailedDelivery delivery);

}
