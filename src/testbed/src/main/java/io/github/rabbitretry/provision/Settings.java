/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.provision;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;

/**
 * The settings that are given. A system property wins over the environment: it is the
 * nearer of the two, given for this one run.
 *
 * @param environment the environment variables
 * @param properties the system properties
 */
public record Settings(Map<String, String> environment, Properties properties) {

	/**
	 * The settings of this process.
	 * @return its environment and system properties
	 */
	public static Settings ofThisProcess() {
		return new Settings(System.getenv(), System.getProperties());
	}

	/**
	 * A setting.
	 * @param setting which
	 * @return its value, empty if it is not set or blank
	 */
	public Optional<String> get(Setting setting) {
		return property(setting.property).or(() -> variable(setting.variable));
	}

	/**
	 * A variable that is not ours.
	 * @param name its name
	 * @return its value, empty if it is not set or blank
	 */
	public Optional<String> variable(String name) {
		return Optional.ofNullable(this.environment.get(name)).map(String::strip).filter((value) -> !value.isEmpty());
	}

	private Optional<String> property(String name) {
		return Optional.ofNullable(this.properties.getProperty(name))
			.map(String::strip)
			.filter((value) -> !value.isEmpty());
	}

	/**
	 * Programs of this machine.
	 * @param program a program's name
	 * @return where the PATH has it
	 */
	public Stream<Path> onPath(String program) {
		return Arrays.stream(variable("PATH").orElse("").split(File.pathSeparator))
			.filter((folder) -> !folder.isEmpty())
			.map((folder) -> Path.of(folder, program))
			.filter(Files::isExecutable);
	}

	/**
	 * The user's folder.
	 * @return its path
	 */
	public Path home() {
		return Path.of(variable("HOME").orElse(this.properties.getProperty("user.home", "/")));
	}

	/**
	 * Where packages are unpacked.
	 * @return the folder, which need not exist
	 */
	public Path cache() {
		return get(Setting.CACHE).map(Path::of)
			.or(() -> variable("XDG_CACHE_HOME").map((folder) -> Path.of(folder, "rabbit-retry")))
			.orElseGet(() -> home().resolve(".cache").resolve("rabbit-retry"))
			.toAbsolutePath()
			.normalize();
	}

}
