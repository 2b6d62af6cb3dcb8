/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.database;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Tries the ways to a server one after the other.
 */
final class DatabaseChooser {

	static final String VARIABLE = "RABBIT_RETRY_DATABASE";

	private static final String PROPERTY = "rabbit-retry.database";

	private DatabaseChooser() {
	}

	static Database start() {
		return start(System.getProperty(PROPERTY, Optional.ofNullable(System.getenv(VARIABLE)).orElse("")).strip());
	}

	static Database start(String named) {
		if (!named.isEmpty()) {
			return NamedDatabase.connect(named);
		}
		Map<String, String> reasons = new LinkedHashMap<>();
		for (Binaries binaries : Binaries.all()) {
			try {
				return ServerDatabase.start(binaries);
			}
			catch (PassedOverDatabaseException ex) {
				reasons.put(binaries.name(), String.valueOf(ex.getMessage()));
			}
		}
		throw new NoDatabaseException(reasons);
	}

}
