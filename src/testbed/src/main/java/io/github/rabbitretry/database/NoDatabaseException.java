/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.database;

import java.util.Map;
import java.util.stream.Collectors;

/**
 * No server could be had: the message lists each way and why it was passed over.
 */
public class NoDatabaseException extends IllegalStateException {

	private static final long serialVersionUID = 1L;

	NoDatabaseException(String message, Throwable cause) {
		super(message, cause);
	}

	NoDatabaseException(Map<String, String> reasons) {
		super(reasons.entrySet()
			.stream()
			.map((reason) -> "  " + reason.getKey() + ": " + reason.getValue().strip().replace("\n", "\n    "))
			.collect(Collectors.joining("\n", "No PostgreSQL to be had. Each way was passed over:\n",
					"\nInstall PostgreSQL 14 or later, or name a running server: "
							+ "RABBIT_RETRY_DATABASE='jdbc:postgresql://host:port/database?user=name&password=secret'")));
	}

}
