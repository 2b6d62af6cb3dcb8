/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.broker;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/**
 * The settings that are given. A system property wins over the environment: it is the
 * nearer of the two, given for this one run.
 */
record Settings(Map<String, String> environment, Properties properties) {

	static Settings ofThisProcess() {
		return new Settings(System.getenv(), System.getProperties());
	}

	Optional<String> get(Setting setting) {
		return property(setting.property).or(() -> variable(setting.variable));
	}

	Optional<String> variable(String name) {
		return Optional.ofNullable(this.environment.get(name)).map(String::strip).filter((value) -> !value.isEmpty());
	}

	private Optional<String> property(String name) {
		return Optional.ofNullable(this.properties.getProperty(name))
			.map(String::strip)
			.filter((value) -> !value.isEmpty());
	}

	Optional<BrokerVersion> askedVersion() {
		return get(Setting.VERSION).map(BrokerVersion::parse);
	}

	BrokerVersion version() {
		return askedVersion().orElse(BrokerVersion.V4_0);
	}

	Path home() {
		return Path.of(variable("HOME").orElse(this.properties.getProperty("user.home", "/")));
	}

	Path cache() {
		return get(Setting.CACHE).map(Path::of)
			.or(() -> variable("XDG_CACHE_HOME").map((folder) -> Path.of(folder, "rabbit-retry")))
			.orElseGet(() -> home().resolve(".cache").resolve("rabbit-retry"))
			.toAbsolutePath()
			.normalize();
	}

}
