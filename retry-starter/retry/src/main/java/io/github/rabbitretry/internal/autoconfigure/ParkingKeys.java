/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.util.Set;

import io.github.rabbitretry.internal.configuration.ConfiguredValue;
import io.github.rabbitretry.internal.configuration.Sections;

/**
 * Keys that only the parking artifact reads. Without it they would have no effect, and
 * nobody would notice before the ledger is needed.
 */
final class ParkingKeys {

	private static final Set<String> SECTIONS = Set.of("ledger", "replay", "scan");

	private ParkingKeys() {
	}

	static void check(Iterable<ConfiguredValue> values) {
		if (Sections.present("ledger")) {
			return;
		}
		for (ConfiguredValue value : values) {
			boolean policy = (value.ofPolicy() && value.is(2, "ledger"))
					|| (value.is(0, "defaults") && value.is(1, "ledger"));
			if (policy || SECTIONS.stream().anyMatch((section) -> value.is(0, section))) {
				throw value.invalid("needs rabbit-retry-parking, which is not on the class path",
						"Add the dependency io.github.rabbitretry:rabbit-retry-parking-spring-boot-starter, or remove the key.");
			}
		}
	}

}
