/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.configuration;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.rabbitretry.internal.topology.InvalidConfigurationException;

import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.core.env.CompositePropertySource;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Finds mistakes in keys as they are written, and has policies inherit the defaults,
 * before anything is bound.
 */
public final class ConfigurationCheck implements BeanFactoryPostProcessor {

	private static final Pattern OURS = Pattern.compile("(?i)rabbit[-_]?retry[.\\[].*");

	/** What users name, outside of brackets. The names of queues to adopt have dots. */
	private static final List<Pattern> NAMED = List.of(
			Pattern.compile("(?i)(rabbit[-_]?retry\\.message[-_]?policies\\.)([^.\\[]+).*"),
			Pattern.compile("(?i)(rabbit[-_]?retry\\.ledger\\.adopt\\.)([^\\[]+)"));

	private static final Pattern KEPT = Pattern.compile("[a-zA-Z0-9_.-]+");

	private static final Pattern SECRET = Pattern.compile("(?i)password$");

	private static final String AOT_PROCESSING = "spring.aot.processing";

	private final ConfigurableEnvironment environment;

	/**
	 * Creates the check.
	 * @param environment what has the properties below {@code rabbit-retry}
	 */
	public ConfigurationCheck(ConfigurableEnvironment environment) {
		this.environment = environment;
	}

	@Override
	public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
		if (Boolean.getBoolean(AOT_PROCESSING)) {
			// the application is built, and what it will run with is not known
			return;
		}
		this.environment.getPropertySources().forEach(ConfigurationCheck::check);
		InheritedDefaults.addTo(this.environment);
	}

	/** Each place by itself, as the same key may stand in several. */
	private static void check(PropertySource<?> source) {
		if (source instanceof CompositePropertySource composite) {
			composite.getPropertySources().forEach(ConfigurationCheck::check);
		}
		else if (source instanceof EnumerablePropertySource<?> enumerable
				&& !(source instanceof SystemEnvironmentPropertySource)) {
			check(enumerable);
		}
	}

	private static void check(EnumerablePropertySource<?> source) {
		Map<ConfigurationPropertyName, String> seen = new HashMap<>();
		for (String name : source.getPropertyNames()) {
			if (OURS.matcher(name).matches()) {
				if (name.contains("${")) {
					throw new InvalidConfigurationException(name, value(source, name),
							"has a placeholder in its key, where nothing resolves it",
							"Write the message type itself; placeholders are supported in values only.");
				}
				keepsAll(name);
				String other = seen.putIfAbsent(ConfigurationPropertyName.adapt(name, '.'), name);
				if (other != null && !other.equals(name)) {
					throw new InvalidConfigurationException(name, value(source, name),
							"is the same key as %s, which is set to '%s' in the same place".formatted(other,
									value(source, other)),
							"Remove one of the two; keys differ neither by case nor by dashes.");
				}
			}
		}
	}

	private static void keepsAll(String key) {
		for (Pattern pattern : NAMED) {
			Matcher named = pattern.matcher(key);
			if (named.matches() && !KEPT.matcher(named.group(2)).matches()) {
				String name = named.group(2);
				throw new InvalidConfigurationException(named.group(1) + name, name,
						"would lose all characters but letters from a to z, digits, dashes and underscores",
						"Write it in brackets, in YAML in quotes too: \"[%s]\".".formatted(name));
			}
		}
	}

	private static String value(EnumerablePropertySource<?> source, String name) {
		boolean secret = SECRET.matcher(name).find();
		return secret ? "(not shown)" : String.valueOf(source.getProperty(name));
	}

}
