/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.monitoring;

import java.nio.file.Path;

import io.github.rabbitretry.provision.PassedOverException;
import io.github.rabbitretry.provision.Settings;
import io.github.rabbitretry.provision.UnpackScript;

/**
 * Prometheus from Debian's package, unpacked into the cache once. Its programs need
 * nothing but a libc that is no older than the suite's.
 *
 * @param apt the folder of apt's configuration
 */
record UnpackedPrometheus(Path apt) {

	private static final String SUITE = "bookworm";

	/**
	 * Unpacks the programs, unless they are there already.
	 * @return the folder that they are in
	 */
	Path unpack(Settings settings) throws PassedOverException {
		Path folder = settings.cache().resolve("prometheus-" + SUITE);
		Path programs = folder.resolve("usr/bin");
		if (!new PrometheusPrograms(programs).complete()) {
			new UnpackScript(UnpackScript.class, this.apt).run(settings, SUITE, "prometheus", folder);
		}
		return programs;
	}

}
