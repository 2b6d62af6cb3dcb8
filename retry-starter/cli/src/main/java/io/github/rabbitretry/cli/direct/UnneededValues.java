/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli.direct;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.util.PlaceholderResolutionException;

/**
 * Leaves out what a service's configuration takes from its surroundings, this process has
 * not, and nobody needs here: the service itself would not start without it.
 */
final class UnneededValues {

	private static final Pattern OURS = Pattern.compile("rabbit-?retry\\..*", Pattern.CASE_INSENSITIVE);

	private static final Pattern OUTSIDE = Pattern.compile("spring\\.rabbitmq\\..*");

	private static final Pattern BROKER = Pattern.compile("rabbit-?retry\\.broker\\.management.*",
			Pattern.CASE_INSENSITIVE);

	private static final Pattern INDEX = Pattern.compile("(\\[\\d+])+(\\..*)?$");

	private UnneededValues() {
	}

	/**
	 * Leaves it out.
	 * @param environment the configuration
	 * @param offline whether broker and database are not needed
	 */
	static void leaveOut(ConfigurableEnvironment environment, boolean offline) {
		List<PropertySource<?>> sources = environment.getPropertySources().stream().toList();
		for (PropertySource<?> source : sources) {
			if (source instanceof MapPropertySource known) {
				Set<String> unknown = Arrays.stream(known.getPropertyNames())
					.filter((name) -> (OURS.matcher(name).matches() || offline && OUTSIDE.matcher(name).matches())
							&& !MissingValues.isNeeded(name, offline))
					.filter((name) -> isUnresolved(String.valueOf(known.getProperty(name)), environment))
					.collect(Collectors.toSet());
				if (!unknown.isEmpty()) {
					environment.getPropertySources().replace(source.getName(), without(known, unknown));
				}
			}
		}
	}

	private static boolean isUnresolved(String value, ConfigurableEnvironment environment) {
		try {
			environment.resolveRequiredPlaceholders(value);
			return false;
		}
		catch (PlaceholderResolutionException ex) {
			return true;
		}
	}

	private static PropertySource<?> without(EnumerablePropertySource<?> source, Set<String> unknown) {
		// half a list, or a user without a password, would be another mistake
		Set<String> lists = unknown.stream().map(UnneededValues::list).collect(Collectors.toSet());
		boolean broker = unknown.stream().anyMatch((name) -> BROKER.matcher(name).matches());
		Map<String, Object> kept = new LinkedHashMap<>();
		for (String name : source.getPropertyNames()) {
			Object value = source.getProperty(name);
			if (value != null && !lists.contains(list(name)) && !(broker && BROKER.matcher(name).matches())) {
				kept.put(name, value);
			}
		}
		return new MapPropertySource(source.getName(), kept);
	}

	private static String list(String name) {
		return INDEX.matcher(name).replaceFirst("");
	}

}
