/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.broker;

import java.time.Duration;

/**
 * How broker policies are looked for. A bean of each application with a topology.
 *
 * @param mode what to do about unsafe ones
 * @param interval how often to look
 * @param existingQueues whether to look after existing work queues, too
 */
public record BrokerPolicySettings(BrokerPolicyMode mode, Duration interval, boolean existingQueues) {

}
