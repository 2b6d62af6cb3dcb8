/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.lang.reflect.Type;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

import io.github.rabbitretry.internal.configuration.ConfiguredValue;

import org.springframework.boot.convert.DurationStyle;
import org.springframework.util.NumberUtils;
import org.springframework.util.unit.DataSize;

/**
 * Values that can't be bound. Boot says so with names of classes and constants, and knows
 * no remedy.
 */
final class UnreadableValues {

	private static final Map<Class<?>, Class<? extends Number>> NUMBERS = Map.of(int.class, Integer.class,
			Integer.class, Integer.class, long.class, Long.class, Long.class, Long.class, double.class, Double.class,
			Double.class, Double.class);

	/** Boot takes them for constants too, as YAML takes {@code off} for {@code false}. */
	private static final Set<String> BOOLEANS = Set.of("true", "false");

	private UnreadableValues() {
	}

	static void check(ConfiguredValue value, Type type) {
		String text = value.resolved().strip();
		if (!(type instanceof Class<?> single) || text.isEmpty()) {
			return;
		}
		if (single.isEnum()) {
			constant(value, single, text);
		}
		else if (NUMBERS.containsKey(single)) {
			boolean whole = NUMBERS.get(single) != Double.class;
			readable(value, text, (number) -> NumberUtils.parseNumber(number, NUMBERS.get(single)),
					whole ? "is no whole number, or too large a one" : "is no number", "Write it in digits.");
		}
		else if (single == Duration.class) {
			readable(value, text, DurationStyle::detectAndParse, "is no duration",
					"Write a whole number and its unit, without a blank: 500ms, 10s, 5m, 2h or 1d.");
		}
		else if (single == DataSize.class) {
			readable(value, text, DataSize::parse, "is no size",
					"Write a whole number and its unit, without a blank: 64KB or 16MB.");
		}
	}

	private static void readable(ConfiguredValue value, String text, Consumer<String> reading, String relation,
			String remedy) {
		try {
			reading.accept(text);
		}
		catch (IllegalArgumentException ex) {
			throw value.invalid(relation, remedy);
		}
	}

	private static void constant(ConfiguredValue value, Class<?> type, String text) {
		boolean known = Arrays.stream(type.getEnumConstants())
			.anyMatch((constant) -> letters(constant.toString()).equals(letters(text)));
		if (!known && !BOOLEANS.contains(text.toLowerCase(Locale.ROOT))) {
			throw value.invalid("is not known there",
					"Use one of %s.".formatted(String.join(", ", Arrays.stream(type.getEnumConstants())
						.map((constant) -> ((Enum<?>) constant).name().toLowerCase(Locale.ROOT).replace('_', '-'))
						.toList())));
		}
	}

	/** What Boot compares. */
	private static String letters(String name) {
		return name.replaceAll("[^\\p{L}\\p{N}]", "").toLowerCase(Locale.ROOT);
	}

}
