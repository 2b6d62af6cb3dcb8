/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.management;

import javax.net.ssl.SSLSocketFactory;

import org.jspecify.annotations.Nullable;

/**
 * Where and as whom to ask the management API.
 *
 * @param url its address, without a slash at the end
 * @param username the user
 * @param password the user's password
 * @param virtualHost the virtual host to ask about
 * @param sockets trusts what the connection to the broker trusts, or {@code null} for
 * what the JVM trusts
 */
public record ManagementSettings(String url, String username, String password, String virtualHost,
		@Nullable SSLSocketFactory sockets) {

	/** Without the password. */
	@Override
	public String toString() {
		return "%s as '%s'".formatted(this.url, this.username);
	}

}
