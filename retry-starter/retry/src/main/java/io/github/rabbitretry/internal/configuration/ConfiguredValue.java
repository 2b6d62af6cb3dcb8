/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.configuration;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

import io.github.rabbitretry.internal.topology.InvalidConfigurationException;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * A value below {@code rabbit-retry} as it is written, before it is bound.
 *
 * @param path the elements of its key, {@code rabbit-retry} not among them
 * @param written as written
 * @param resolved with its placeholders resolved, as far as they can be
 */
public record ConfiguredValue(List<String> path, String written, String resolved) {

	private static final ConfigurationPropertyName PREFIX = ConfigurationPropertyName.of("rabbit-retry");

	private static final String POLICIES = "messagepolicies";

	/**
	 * All values that count: where a key is set twice, the one with precedence; where a
	 * list is, all of the one with precedence and nothing of the other.
	 * @param environment where from
	 * @return the values
	 */
	public static List<ConfiguredValue> all(ConfigurableEnvironment environment) {
		List<ConfiguredValue> values = new ArrayList<>();
		Set<ConfigurationPropertyName> seen = new HashSet<>();
		Map<ConfigurationPropertyName, ConfigurationPropertySource> lists = new HashMap<>();
		for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
			if (source instanceof IterableConfigurationPropertySource iterable) {
				iterable.stream()
					.filter((name) -> PREFIX.isAncestorOf(name) && isBoundFrom(source, name, lists) && seen.add(name))
					.forEach((name) -> {
						ConfigurationProperty property = iterable.getConfigurationProperty(name);
						if (property != null) {
							values.add(of(name, property.getValue(), environment));
						}
					});
			}
		}
		return values;
	}

	private static boolean isBoundFrom(ConfigurationPropertySource source, ConfigurationPropertyName name,
			Map<ConfigurationPropertyName, ConfigurationPropertySource> lists) {
		int length = KeyTypes.ofList(path(name));
		if (length == 0) {
			return true;
		}
		ConfigurationPropertySource first = lists.putIfAbsent(name.chop(1 + length), source);
		return first == null || first == source;
	}

	private static ConfiguredValue of(ConfigurationPropertyName name, Object value,
			ConfigurableEnvironment environment) {
		String written = String.valueOf(value);
		return new ConfiguredValue(path(name), written, environment.resolvePlaceholders(written));
	}

	private static List<String> path(ConfigurationPropertyName name) {
		List<String> path = new ArrayList<>();
		for (int index = 1; index < name.getNumberOfElements(); index++) {
			path.add(name.getElement(index, Form.ORIGINAL));
		}
		return path;
	}

	/**
	 * Whether policies should stand here, but nothing does.
	 * @return {@code false} for all other keys
	 */
	public boolean hasNoPolicies() {
		return ofPolicy() && this.path.size() == 1 && this.written.isBlank();
	}

	/**
	 * Whether it belongs to a message policy.
	 * @return {@code false} for all that counts for the whole application
	 */
	public boolean ofPolicy() {
		return is(0, POLICIES);
	}

	/**
	 * Whether an element of the key is this one, however it is spelt.
	 * @param index which element
	 * @param uniform without dashes, in lower case
	 * @return {@code false} if it is another, or if there are not so many
	 */
	public boolean is(int index, String uniform) {
		return index < this.path.size() && uniform(this.path.get(index)).equals(uniform);
	}

	/**
	 * An element without dashes, in lower case.
	 * @param element as written
	 * @return what it is compared by
	 */
	public static String uniform(String element) {
		return element.replace("-", "").replace("_", "").toLowerCase(Locale.ROOT);
	}

	/**
	 * The last element that is no index.
	 * @return it, uniform, or {@code null} if there is none
	 */
	public @Nullable String lastKey() {
		for (int index = this.path.size() - 1; index >= 0; index--) {
			if (!this.path.get(index).chars().allMatch(Character::isDigit)) {
				return uniform(this.path.get(index));
			}
		}
		return null;
	}

	/**
	 * The whole key.
	 * @return it, {@code rabbit-retry} included
	 */
	public String property() {
		StringBuilder property = new StringBuilder("rabbit-retry");
		for (String element : this.path) {
			boolean index = element.chars().allMatch(Character::isDigit);
			property.append(index ? "[" : ".").append(element).append(index ? "]" : "");
		}
		return property.toString();
	}

	/**
	 * Refuses the value.
	 * @param relation what is wrong with it
	 * @param remedy what to do, a sentence
	 * @return the exception that fails startup
	 */
	public InvalidConfigurationException invalid(String relation, String remedy) {
		return new InvalidConfigurationException(property(), this.written, relation, remedy);
	}

}
