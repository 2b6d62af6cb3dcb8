/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.registry;

import java.util.UUID;

class H2ServiceRegistrationIntegrationTests extends ServiceRegistrationContract {

	@Override
	String newDatabase() {
		return "jdbc:h2:mem:%s;DB_CLOSE_DELAY=-1".formatted(UUID.randomUUID());
	}

	@Override
	String username() {
		return "sa";
	}

	@Override
	String password() {
		return "";
	}

}
