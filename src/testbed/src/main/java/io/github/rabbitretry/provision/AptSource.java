/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.provision;

import java.util.Set;

/**
 * One archive and suite of apt's configuration.
 */
record AptSource(String uri, String suite, Set<String> components) {

	private static final Set<String> DEBIAN_SUITES = Set.of("stable", "testing", "unstable", "oldstable", "sid",
			"buster", "bullseye", "bookworm", "trixie", "forky", "duke");

	/** Debian's own archive has {@code main} of a release that carries Debian's name. */
	boolean isDebian() {
		return DEBIAN_SUITES.contains(this.suite) && this.components.contains("main") && !this.uri.contains("security")
				&& !this.uri.startsWith("cdrom:");
	}

	/** Third parties use Debian's names too, but hardly ever this path. */
	boolean hasUsualPath() {
		return this.uri.matches(".*/debian/?");
	}

}
