/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.brokerpolicy;

import java.time.Duration;

import io.github.rabbitretry.internal.management.ManagementAccess;

/**
 * How broker policies are looked for.
 *
 * @param mode what to do about unsafe ones
 * @param interval how often to look
 * @param management what is configured about the management API
 * @param required whether startup fails if policies are unknown, or don't give what
 * queues are declared without
 */
public record BrokerPolicySettings(BrokerPolicyMode mode, Duration interval, ManagementAccess management,
		boolean required) {

}
