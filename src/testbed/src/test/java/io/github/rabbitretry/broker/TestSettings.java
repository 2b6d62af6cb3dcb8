/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.broker;

import java.util.HashMap;
import java.util.Map;
import java.util.Properties;

import io.github.rabbitretry.provision.Settings;

/** Settings of a machine that is not this one. */
final class TestSettings {

	private TestSettings() {
	}

	/** Pairs as a shell would take them: {@code NAME=value}. */
	static Settings of(String... variables) {
		Map<String, String> environment = new HashMap<>();
		for (String variable : variables) {
			String[] parts = variable.split("=", 2);
			environment.put(parts[0], parts[1]);
		}
		return new Settings(environment, new Properties());
	}

}
