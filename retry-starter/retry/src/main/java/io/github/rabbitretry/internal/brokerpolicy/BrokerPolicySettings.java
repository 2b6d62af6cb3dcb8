/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.brokerpolicy;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * How broker policies are looked for.
 *
 * @param mode what to do about unsafe ones
 * @param interval how often to look
 * @param managementUrl the management API's address, or {@code null} for its usual port
 * on the broker's host
 * @param username as whom to ask, or {@code null} for the connection's user
 * @param password that user's password, or {@code null} for the connection's
 */
public record BrokerPolicySettings(BrokerPolicyMode mode, Duration interval, @Nullable String managementUrl,
		@Nullable String username, @Nullable String password) {

	/** Without the password. */
	@Override
	public String toString() {
		return "%s every %s at %s".formatted(this.mode, this.interval, this.managementUrl);
	}

}
