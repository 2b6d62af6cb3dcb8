/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.management;

import javax.net.ssl.SSLSocketFactory;

import io.github.rabbitretry.internal.broker.BrokerAccess;
import io.github.rabbitretry.internal.broker.ManagementAccess;
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

	/**
	 * Finds the management API: as configured, or on the usual port of the host that the
	 * application is connected to, by TLS if it is. It is trusted as the broker is.
	 * @param broker the broker
	 * @return the settings, for the virtual host of the application's connection
	 * @throws ManagementUnavailableException if its user is not known, or if neither its
	 * address is configured nor is it known whether the application connects by TLS
	 * @throws org.springframework.amqp.AmqpException if the broker can't be reached
	 */
	public static ManagementSettings of(BrokerAccess broker) {
		ManagementAccess configured = broker.management();
		BrokerAccess.Login login = broker.login();
		boolean given = configured.username() != null && configured.password() != null;
		String password = given ? configured.password() : login.password();
		String username = given ? configured.username() : (password != null) ? broker.username() : null;
		if (username == null || password == null) {
			throw new ManagementUnavailableException("the connection factory does not expose its user and password");
		}
		Boolean secure = login.secure();
		if (configured.url() == null && secure == null) {
			throw new ManagementUnavailableException("the connection factory does not expose whether it uses TLS");
		}
		String url = (configured.url() != null) ? configured.url().replaceAll("/+$", "")
				: (Boolean.TRUE.equals(secure) ? "https://%s:15671" : "http://%s:15672").formatted(broker.host());
		return new ManagementSettings(url, username, password, broker.virtualHost(), login.sockets());
	}

	/** Without the password. */
	@Override
	public String toString() {
		return "%s as '%s'".formatted(this.url, this.username);
	}

}
