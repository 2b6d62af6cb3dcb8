/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.docs;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;

/**
 * A key as the metadata describes it.
 *
 * @param name the whole name
 * @param javaType the type that it is bound to
 * @param defaultValue what it is if nobody sets it
 * @param description one or more sentences
 */
record ConfigurationKey(String name, String javaType, @Nullable Object defaultValue, String description) {

	private static final Pattern DEFAULT = Pattern.compile(" Default is (.*)\\.$");

	/**
	 * A row of the table that the page has.
	 * @param shown the name, or the part of it that the table's heading leaves out
	 * @return in Markdown
	 */
	String row(String shown) {
		String text = DEFAULT.matcher(this.description).replaceFirst("");
		return "| `%s` | %s | %s | %s |".formatted(shown, kind(), unset(), text);
	}

	private String unset() {
		if (this.defaultValue instanceof Collection<?> values) {
			return "`%s`".formatted(values.stream().map(String::valueOf).toList());
		}
		if (this.defaultValue != null) {
			return "`%s`".formatted(this.defaultValue.toString().replaceFirst("\\.0$", ""));
		}
		Matcher told = DEFAULT.matcher(this.description);
		return told.find() ? told.group(1) : "";
	}

	private String kind() {
		String raw = this.javaType.replaceFirst("<.*", "");
		return switch (raw) {
			case "java.lang.String" -> "text";
			case "java.lang.Integer", "java.lang.Long" -> "integer";
			case "java.lang.Double" -> "number";
			case "java.lang.Boolean" -> "`true`, `false`";
			case "java.time.Duration" -> "duration";
			case "org.springframework.util.unit.DataSize" -> "size";
			case "java.util.List", "java.util.Set" -> "list";
			case "java.util.Map" -> "map";
			default -> constants(ClassUtils.resolveClassName(raw, null));
		};
	}

	private static String constants(Class<?> type) {
		if (!type.isEnum()) {
			return List.of("int", "long").contains(type.getName()) ? "integer" : type.getSimpleName();
		}
		return Arrays.stream(type.getEnumConstants())
			.map((constant) -> "`%s`".formatted(((Enum<?>) constant).name().toLowerCase(Locale.ROOT).replace('_', '-')))
			.collect(Collectors.joining(", "));
	}

}
