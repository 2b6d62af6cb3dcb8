/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.configuration;

import java.util.Arrays;
import java.util.HashMap;
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

	private static final Pattern POLICY = Pattern
		.compile("(?i)rabbit[-_]?retry\\.message[-_]?policies(?:\\.([^.\\[]+)|\\[(\\d+)]).*");

	private static final Pattern ADOPTED = Pattern.compile("(?i)rabbit[-_]?retry\\.ledger\\.adopt\\.([^\\[]+)");

	private static final Pattern KEPT = Pattern.compile("[a-zA-Z0-9_-]+");

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
				messageType(source, name);
				adopted(name);
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

	private static void messageType(EnumerablePropertySource<?> source, String name) {
		Matcher policy = POLICY.matcher(name);
		if (!policy.matches()) {
			return;
		}
		if (policy.group(2) != null) {
			if (!isList(source)) {
				// YAML gives numbers as keys in brackets
				return;
			}
			throw new InvalidConfigurationException(name, value(source, name),
					"is an element of a list, where message types with their keys are expected",
					"Write the message type in place of the dash, message-policies.CreateOrderCommand.queue.");
		}
		keepsAll("rabbit-retry.message-policies.", policy.group(1), policy.group(1));
	}

	private static void adopted(String name) {
		Matcher queue = ADOPTED.matcher(name);
		if (queue.matches()) {
			keepsAll("rabbit-retry.ledger.adopt.", queue.group(1), queue.group(1).replace(".", ""));
		}
	}

	private static void keepsAll(String prefix, String key, String letters) {
		if (!KEPT.matcher(letters).matches()) {
			throw new InvalidConfigurationException(prefix + key, key,
					"would lose all characters but letters from a to z, digits, dashes and underscores",
					"Write it in brackets, in YAML in quotes too: \"[%s]\".".formatted(key));
		}
	}

	private static boolean isList(EnumerablePropertySource<?> source) {
		return Arrays.stream(source.getPropertyNames())
			.map(POLICY::matcher)
			.anyMatch((policy) -> policy.matches() && "0".equals(policy.group(2)));
	}

	private static String value(EnumerablePropertySource<?> source, String name) {
		boolean secret = SECRET.matcher(name).find();
		return secret ? "(not shown)" : String.valueOf(source.getProperty(name));
	}

}
