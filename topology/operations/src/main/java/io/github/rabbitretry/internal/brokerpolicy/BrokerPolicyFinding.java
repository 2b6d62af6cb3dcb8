/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.brokerpolicy;

/**
 * A key of a policy that changes what one of our queues or exchanges does.
 *
 * @param queue whether the subject is a queue, else an exchange
 * @param subject the queue's or exchange's name
 * @param policy the policy that is in effect for it
 * @param key the policy's key
 * @param value the key's value
 * @param consequence what happens to messages
 * @param unsafe whether messages can be lost or handled too early; otherwise it is good
 * to know
 */
record BrokerPolicyFinding(boolean queue, String subject, BrokerPolicy policy, String key, Object value,
		String consequence, boolean unsafe) {
}
