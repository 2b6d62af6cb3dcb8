/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.registry;

import io.github.rabbitretry.database.Database;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

class PostgresqlServiceRegistrationIntegrationTests extends ServiceRegistrationContract {

	private Database database = Database.shared();

	@AfterEach
	void stop() {
		this.database.close();
	}

	@Override
	String newDatabase() {
		return this.database.createDatabase();
	}

	@Override
	String username() {
		return this.database.username();
	}

	@Override
	String password() {
		return this.database.password();
	}

	@Test
	void aServiceWhoseDatabaseWasAwayRegistersLater() throws Exception {
		this.database = Database.start();
		Assumptions.assumeTrue(this.database.canControl(), this.database::description);
		String url = newDatabase();
		this.database.kill();
		try (ConfigurableApplicationContext service = start(url)) {
			RegisteredPolicies registered = registered(url);
			assertThatException().isThrownBy(registered::refresh);
			this.database.startAgain();
			awaitRegistered(registered, service);
			assertThat(registered.services()).extracting(RegisteredPolicies.Service::application)
				.containsExactly("orders");
		}
		finally {
			deleteQueues();
		}
	}

}
