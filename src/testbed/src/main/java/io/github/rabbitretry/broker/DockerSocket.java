/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.broker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import io.github.rabbitretry.provision.Settings;

/**
 * A quick and quiet look for a Docker engine. Testcontainers looks more closely, but
 * slowly, and logs an error with a stack trace when there is none.
 */
final class DockerSocket {

	private DockerSocket() {
	}

	/** Why there can be no engine, if so. */
	static Optional<String> reasonForNone(Settings settings) {
		boolean named = settings.variable("DOCKER_HOST").isPresent() || namedForTestcontainers(settings);
		boolean windows = settings.properties().getProperty("os.name", "").startsWith("Windows");
		if (named || windows) {
			return Optional.empty();
		}
		List<Path> sockets = candidates(settings).filter(Files::exists).toList();
		if (sockets.isEmpty()) {
			return Optional.of("no Docker engine: DOCKER_HOST is not set and there is no Docker socket");
		}
		if (sockets.stream().noneMatch(Files::isWritable)) {
			return Optional.of("this user may not write to the Docker socket " + sockets.get(0));
		}
		return Optional.empty();
	}

	/** The file alone says nothing: Testcontainers writes it by itself. */
	private static boolean namedForTestcontainers(Settings settings) {
		Path file = settings.home().resolve(".testcontainers.properties");
		try {
			return Files.exists(file) && Files.readString(file).contains("docker.host");
		}
		catch (IOException ex) {
			return false;
		}
	}

	private static Stream<Path> candidates(Settings settings) {
		return Stream.concat(
				settings.variable("XDG_RUNTIME_DIR").stream().map((folder) -> Path.of(folder, "docker.sock")),
				Stream.of(Path.of("/var/run/docker.sock"), settings.home().resolve(".docker/run/docker.sock"),
						settings.home().resolve(".docker/desktop/docker.sock")));
	}

}
