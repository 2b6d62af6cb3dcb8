/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.database;

import io.github.rabbitretry.provision.Chooser;

/**
 * No server could be had: the message lists each way and why it was passed over.
 */
public class NoDatabaseException extends IllegalStateException {

	private static final long serialVersionUID = 1L;

	NoDatabaseException(String message, Throwable cause) {
		super(message, cause);
	}

	NoDatabaseException(Chooser chooser) {
		super(chooser.message("No PostgreSQL to be had", "Install PostgreSQL 14 or later, or name a running server: "
				+ "RABBIT_RETRY_DATABASE='jdbc:postgresql://host:port/database?user=name&password=secret'"));
	}

}
