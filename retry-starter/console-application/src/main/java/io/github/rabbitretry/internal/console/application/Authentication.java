/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.console.application;

import java.util.Map;

import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/**
 * How users log in, as far as it is configured.
 *
 * @param password whether there are users with passwords
 * @param oauth2 whether a provider of OAuth 2 knows the users
 */
record Authentication(boolean password, boolean oauth2) {

	static Authentication of(Environment environment) {
		return new Authentication(
				environment.containsProperty("spring.security.user.password")
						|| present(environment, ConsoleUsers.PREFIX + ".users"),
				present(environment, "spring.security.oauth2.client.registration"));
	}

	private static boolean present(Environment environment, String name) {
		return !Binder.get(environment)
			.bind(name, Bindable.mapOf(String.class, Object.class))
			.orElse(Map.of())
			.isEmpty();
	}

	/**
	 * Whether there is any login; else everybody who reaches the application may do
	 * everything.
	 */
	boolean required() {
		return this.password || this.oauth2;
	}

}
