/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.monitoring;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

import io.github.rabbitretry.broker.AptSources;
import io.github.rabbitretry.provision.Command;
import io.github.rabbitretry.provision.PassedOverException;
import io.github.rabbitretry.provision.Setting;
import io.github.rabbitretry.provision.Settings;

/**
 * Prometheus from Debian's package, unpacked into the cache once. Its programs need
 * nothing but a libc that is no older than the suite's.
 *
 * @param apt the folder of apt's configuration
 */
record UnpackedPrometheus(Path apt) {

	private static final String SUITE = "bookworm";

	private static final Duration TIMEOUT = Duration.ofMinutes(10);

	private static final List<String> TOOLS = List.of("bash", "apt-get", "dpkg-deb", "flock");

	/**
	 * Unpacks the programs, unless they are there already.
	 * @return the folder that they are in
	 */
	Path unpack(Settings settings) throws PassedOverException {
		Path folder = settings.cache().resolve("prometheus-" + SUITE);
		Path programs = folder.resolve("usr/bin");
		if (new PrometheusPrograms(programs).complete()) {
			return programs;
		}
		List<String> missing = TOOLS.stream().filter((tool) -> settings.onPath(tool).findAny().isEmpty()).toList();
		if (!missing.isEmpty()) {
			throw new PassedOverException(
					"only on Debian and Ubuntu; not found on PATH: " + String.join(", ", missing));
		}
		String mirror = settings.get(Setting.DEBIAN_MIRROR)
			.or(() -> AptSources.debianMirror(this.apt))
			.orElseThrow(() -> new PassedOverException("no Debian mirror in apt's configuration in %s; %s can name one"
				.formatted(this.apt, Setting.DEBIAN_MIRROR)));
		unpack(folder, mirror);
		return programs;
	}

	private static void unpack(Path folder, String mirror) throws PassedOverException {
		try {
			Path script = Files.createTempFile("rabbit-retry-unpack-", ".sh");
			try (InputStream resource = Objects
				.requireNonNull(UnpackedPrometheus.class.getResourceAsStream("unpack.sh"))) {
				Files.write(script, resource.readAllBytes());
				ProcessBuilder builder = new ProcessBuilder("bash", script.toString(), SUITE, "prometheus",
						folder.toString());
				builder.environment().put("MIRROR", mirror);
				Command.Result result = Command.run(builder, TIMEOUT);
				if (result.failed()) {
					throw new PassedOverException("unpacking failed: " + result.output());
				}
			}
			finally {
				Files.deleteIfExists(script);
			}
		}
		catch (IOException ex) {
			throw new PassedOverException("unpacking failed: " + ex, ex);
		}
	}

}
