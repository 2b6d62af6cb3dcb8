/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.configuration;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.rabbitretry.internal.topology.InvalidConfigurationException;

import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Finds environment variables of message policies that no key reads. Spring Boot ignores
 * them, since variables of others may begin alike; these may not.
 */
final class EnvironmentVariables {

	private static final List<ConfigurationPropertyName> CHECKED = List.of(StrictBindHandler.POLICIES,
			StrictBindHandler.DEFAULTS);

	private static final String WITH_DASHES = withDashes(StrictBindHandler.PREFIX) + "_";

	private static final Pattern ELEMENT = Pattern.compile("(_\\d+)+$");

	private final Set<String> read = new LinkedHashSet<>();

	/** What keys of optional artifacts begin with; they are bound elsewhere. */
	private final Set<String> groups = new LinkedHashSet<>();

	void read(ConfigurationPropertyName name) {
		this.read.add(documented(name));
		// a key spelled by a variable lacks the dashes of others
		if (withDashes(name).startsWith(WITH_DASHES)) {
			this.read.add(withDashes(name));
		}
	}

	void readElsewhere(ConfigurationPropertyName group) {
		this.groups.add(documented(group) + "_");
		this.groups.add(withDashes(group) + "_");
	}

	/**
	 * Checks the variables below what was bound.
	 * @param bound the prefix of all keys, or a group of keys of one policy
	 * @param sources what has the variables
	 * @throws InvalidConfigurationException if a variable has no effect
	 */
	void check(ConfigurationPropertyName bound, Iterable<ConfigurationPropertySource> sources) {
		List<ConfigurationPropertyName> checked = StrictBindHandler.PREFIX.equals(bound) ? CHECKED : List.of(bound);
		if (CHECKED.equals(checked) || CHECKED.stream().anyMatch((name) -> name.isAncestorOf(bound))) {
			for (ConfigurationPropertySource source : sources) {
				if (source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource variables) {
					for (String variable : variables.getPropertyNames()) {
						check(variable, checked, String.valueOf(variables.getProperty(variable)));
					}
				}
			}
		}
	}

	private void check(String variable, List<ConfigurationPropertyName> checked, String value) {
		String name = variable.toUpperCase(Locale.ROOT);
		checked.stream()
			.flatMap((prefix) -> Stream.of(documented(prefix) + "_", withDashes(prefix) + "_"))
			.filter((prefix) -> name.startsWith(prefix) && !isRead(name, prefix))
			.findFirst()
			.ifPresent((prefix) -> {
				throw new InvalidConfigurationException(variable, value,
						"is an environment variable that no key of Rabbit Retry reads", suggestion(name, prefix)
								+ "Remove the dashes of keys and message types, and write an underscore for each dot.");
			});
	}

	/** An element of a list that another source replaces is not read. */
	private boolean isRead(String name, String prefix) {
		String key = prefix.startsWith(WITH_DASHES) ? name : ELEMENT.matcher(name).replaceFirst("");
		return this.read.contains(key) || this.groups.stream().anyMatch(name::startsWith);
	}

	private String suggestion(String name, String prefix) {
		List<String> keys = this.read.stream()
			.filter((read) -> read.startsWith(prefix))
			.map((read) -> read.substring(prefix.length()))
			.toList();
		return Suggestion.of(name.substring(prefix.length()), keys)
			.map((key) -> "Did you mean '%s%s'? ".formatted(prefix, key))
			.orElse("");
	}

	/**
	 * Whether a key that nothing reads is found here, by the name that its user knows.
	 * @param property a property of the environment
	 * @return whether it is a variable of a message policy
	 */
	static boolean isChecked(ConfigurationProperty property) {
		ConfigurationPropertySource source = property.getSource();
		return source != null && source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource
				&& CHECKED.stream().anyMatch((prefix) -> prefix.isAncestorOf(property.getName()));
	}

	/**
	 * The variable that Spring Boot documents for a key.
	 * @param name the key
	 * @return upper case, without dashes
	 */
	static String documented(ConfigurationPropertyName name) {
		return joined(name, Form.UNIFORM);
	}

	/** What Spring Boot reads too, if a property source is asked for the very key. */
	private static String withDashes(ConfigurationPropertyName name) {
		return joined(name, Form.ORIGINAL).replace('-', '_');
	}

	private static String joined(ConfigurationPropertyName name, Form form) {
		return IntStream.range(0, name.getNumberOfElements())
			.mapToObj((index) -> name.getElement(index, form))
			.collect(Collectors.joining("_"))
			.toUpperCase(Locale.ROOT);
	}

}
