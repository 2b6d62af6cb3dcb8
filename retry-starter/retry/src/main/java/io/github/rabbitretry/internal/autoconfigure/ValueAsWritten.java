/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.util.List;
import java.util.function.Function;

import io.github.rabbitretry.internal.configuration.ConfiguredValue;
import io.github.rabbitretry.internal.topology.InvalidConfigurationException;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.convert.DurationStyle;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.util.unit.DataSize;

/**
 * A value as it stands in the configuration, where only its bound form is known: someone
 * who wrote {@code 1h} does not find {@code PT1H}.
 */
final class ValueAsWritten {

	private static final List<Function<String, Object>> READINGS = List.of(DurationStyle::detectAndParse,
			Double::parseDouble, DataSize::parse);

	private ValueAsWritten() {
	}

	/**
	 * Finds it.
	 * @param problem the bound value, and its property
	 * @param environment where it was written
	 * @return the value as it was bound, if it is not found
	 */
	static String of(InvalidConfigurationException problem, @Nullable Environment environment) {
		if (environment instanceof ConfigurableEnvironment configurable) {
			for (ConfiguredValue value : ConfiguredValue.all(configurable)) {
				if (ConfiguredValue.uniform(value.property()).equals(ConfiguredValue.uniform(problem.property()))
						&& READINGS.stream().anyMatch((reading) -> means(value.resolved(), reading, problem.value()))) {
					return value.written();
				}
			}
		}
		return problem.value();
	}

	private static boolean means(String written, Function<String, Object> reading, String bound) {
		try {
			return reading.apply(written.strip()).toString().equals(bound);
		}
		catch (IllegalArgumentException ex) {
			return false;
		}
	}

}
