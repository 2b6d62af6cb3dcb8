/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.explain;

import java.util.List;

import org.springframework.amqp.core.MessageProperties;

/**
 * Explains how a failing message would be handled. It uses the same classification and
 * decisions as the listeners, and changes nothing: no rule counts a match, no listener is
 * notified and nothing is published.
 * <p>
 * It does not take into account what only a running listener knows: how full the
 * hand-over is, and whether a retry ratio is used up.
 */
public interface RetryExplainer {

	/**
	 * Explains the failure of a first delivery.
	 * @param messageType the policy's name
	 * @param failure what the listener throws
	 * @return the explanation
	 * @throws IllegalArgumentException if there is no such policy
	 */
	default Explanation explain(String messageType, Throwable failure) {
		return explain(new FailedMessage(messageType, failure));
	}

	/**
	 * Explains the failure of a message that was retried before.
	 * @param messageType the policy's name
	 * @param failure what the listener throws
	 * @param attempt the broker attempts made, 0 for a first delivery
	 * @return the explanation
	 * @throws IllegalArgumentException if there is no such policy
	 */
	default Explanation explain(String messageType, Throwable failure, int attempt) {
		return explain(new FailedMessage(messageType, failure).atAttempt(attempt));
	}

	/**
	 * Explains the failure of a message as it was received.
	 * @param messageType the policy's name
	 * @param failure what the listener throws
	 * @param properties the message's properties and headers
	 * @return the explanation
	 * @throws IllegalArgumentException if there is no such policy
	 */
	default Explanation explain(String messageType, Throwable failure, MessageProperties properties) {
		return explain(new FailedMessage(messageType, failure).with(properties));
	}

	/**
	 * Explains a failure.
	 * @param message the failing message
	 * @return the explanation
	 * @throws IllegalArgumentException if there is no such policy
	 */
	Explanation explain(FailedMessage message);

	/**
	 * Returns the message policies that can be explained.
	 * @return their names, in the order of the configuration
	 */
	List<String> messageTypes();

}
