/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.console.application;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Defaults that depend on what is configured, in addition to those of application.yml.
 * Everything that a user sets is stronger.
 */
final class ApplicationDefaults implements EnvironmentPostProcessor {

	private static final String SHOW_PAYLOAD = "management.endpoint.parkinglot.show-payload";

	@Override
	public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
		Map<String, Object> defaults = new HashMap<>();
		if (Authentication.of(environment).required()) {
			defaults.put("rabbit-retry.console.logout", logout(environment));
			defaults.put(SHOW_PAYLOAD, "when-authorized");
			defaults.put("management.endpoint.parkinglot.roles", Role.BODY_READER.name());
			defaults.put("rabbit-retry.replay.roles.replay", Role.OPERATOR.name());
			defaults.put("rabbit-retry.replay.roles.discard", Role.OPERATOR.name());
			defaults.put("rabbit-retry.replay.roles.edit", Role.EDITOR.name());
		}
		else {
			defaults.put(SHOW_PAYLOAD, "always");
			// which Spring Boot turns on by itself in Kubernetes
			defaults.put(BoundAddresses.FORWARDED, "none");
		}
		environment.getPropertySources().addLast(new MapPropertySource("rabbitRetryConsoleDefaults", defaults));
	}

	/** From the endpoints' path to that of the application. */
	private static String logout(ConfigurableEnvironment environment) {
		String base = environment.getProperty("management.endpoints.web.base-path", "/actuator");
		long segments = Arrays.stream(base.split("/")).filter((segment) -> !segment.isEmpty()).count();
		return "../".repeat((int) segments) + "logout";
	}

}
