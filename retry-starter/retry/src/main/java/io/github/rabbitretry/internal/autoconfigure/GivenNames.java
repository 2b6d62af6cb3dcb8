/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.util.LinkedHashMap;
import java.util.Map;

import io.github.rabbitretry.internal.topology.InvalidConfigurationException;
import org.jspecify.annotations.Nullable;

/**
 * Names of queues and exchanges that the configuration gives itself.
 */
final class GivenNames {

	private GivenNames() {
	}

	/**
	 * The key to blame for a name that can't be: a topology knows only what it names.
	 * @param names the names that are given
	 * @param problem what is wrong with one
	 * @return the key
	 */
	static String setting(PolicyProperties.NamesProperties names, InvalidConfigurationException problem) {
		String key = byKey(names).get(problem.value());
		return (key != null) ? "names." + key : problem.property();
	}

	private static Map<String, String> byKey(PolicyProperties.NamesProperties names) {
		Map<String, String> keys = new LinkedHashMap<>();
		put(keys, names.ringExchange(), "ring-exchange");
		put(keys, names.deadLetterExchange(), "dead-letter-exchange");
		put(keys, names.deadLetterQueue(), "dead-letter-queue");
		put(keys, names.parkingLot(), "parking-lot");
		put(keys, names.quarantine(), "quarantine");
		return keys;
	}

	private static void put(Map<String, String> keys, @Nullable String name, String key) {
		if (name != null) {
			keys.put(name, key);
		}
	}

}
