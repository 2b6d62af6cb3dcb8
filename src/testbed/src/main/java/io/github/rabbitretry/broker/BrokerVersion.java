/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.broker;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

import io.github.rabbitretry.provision.Setting;
import io.github.rabbitretry.provision.Settings;

/**
 * The versions that can be asked for, and the Debian suites that hold them.
 */
enum BrokerVersion {

	V4_0("4.0", List.of("trixie")),

	/** Testing comes first; unstable has it too, and stands in when testing is broken. */
	V4_3("4.3", List.of("forky", "sid"));

	final String label;

	final List<String> suites;

	BrokerVersion(String label, List<String> suites) {
		this.label = label;
		this.suites = suites;
	}

	static Optional<BrokerVersion> asked(Settings settings) {
		return settings.get(Setting.VERSION).map(BrokerVersion::parse);
	}

	static BrokerVersion of(Settings settings) {
		return asked(settings).orElse(V4_0);
	}

	static BrokerVersion parse(String label) {
		return Arrays.stream(values())
			.filter((version) -> version.label.equals(label))
			.findFirst()
			.orElseThrow(
					() -> new NoBrokerException("%s is '%s', which is not one of %s. Set it to one of them or unset it"
						.formatted(Setting.VERSION, label, labels())));
	}

	private static String labels() {
		return Arrays.stream(values()).map((version) -> version.label).collect(Collectors.joining(", "));
	}

	boolean matches(String reported) {
		return reported.equals(this.label) || reported.startsWith(this.label + ".");
	}

}
