/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.broker;

import org.jspecify.annotations.Nullable;

/**
 * What is configured about the management API.
 *
 * @param url its address, or {@code null} for its usual port on the broker's host
 * @param username as whom to ask, or {@code null} for the connection's user
 * @param password that user's password, or {@code null} for the connection's
 */
public record ManagementAccess(@Nullable String url, @Nullable String username, @Nullable String password) {

	/** Without the password. */
	@Override
	public String toString() {
		return String.valueOf(this.url);
	}

}
