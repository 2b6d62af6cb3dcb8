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
 */
public record BrokerPolicySettings(BrokerPolicyMode mode, Duration interval, ManagementAccess management) {

}
