/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.configuration;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.MutablePropertySources;

/**
 * Has each message policy inherit the keys that it does not have: those of the defaults
 * are added to the environment as keys of each policy, in property sources of the lowest
 * precedence. So a list replaces the inherited one, and a group is filled up key by key.
 */
final class InheritedDefaults extends MapPropertySource {

	private static final String NAME = "Rabbit Retry defaults of ";

	private InheritedDefaults(String source, Map<String, Object> keys) {
		super(NAME + source, keys);
	}

	/**
	 * Adds the inherited keys, in place of those that were added before.
	 * @param environment what has the properties below {@code rabbit-retry}
	 */
	public static void addTo(ConfigurableEnvironment environment) {
		MutablePropertySources properties = environment.getPropertySources();
		properties.stream()
			.filter(InheritedDefaults.class::isInstance)
			.toList()
			.forEach((before) -> properties.remove(before.getName()));
		List<IterableConfigurationPropertySource> sources = new ArrayList<>();
		Set<ConfigurationPropertyName> policies = new LinkedHashSet<>();
		for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
			if (source instanceof IterableConfigurationPropertySource iterable) {
				sources.add(iterable);
				iterable.stream()
					.filter(StrictBindHandler.POLICIES::isAncestorOf)
					.forEach((name) -> policies.add(name.chop(3)));
			}
		}
		for (int index = 0; index < sources.size(); index++) {
			Map<String, Object> keys = inherited(sources.get(index), policies);
			if (!keys.isEmpty()) {
				properties.addLast(new InheritedDefaults("source " + index, keys));
			}
		}
	}

	private static Map<String, Object> inherited(IterableConfigurationPropertySource source,
			Set<ConfigurationPropertyName> policies) {
		Map<String, Object> keys = new LinkedHashMap<>();
		source.stream().filter(StrictBindHandler.DEFAULTS::isAncestorOf).forEach((name) -> {
			ConfigurationProperty property = source.getConfigurationProperty(name);
			if (property != null) {
				policies.forEach((policy) -> keys.put(
						StrictBindHandler
							.property(policy.append(name.subName(StrictBindHandler.DEFAULTS.getNumberOfElements()))),
						property.getValue()));
			}
		});
		return keys;
	}

	/**
	 * Whether a policy inherits the property.
	 * @param property a property of the environment
	 * @return {@code false} if it is written where it is bound
	 */
	static boolean has(ConfigurationProperty property) {
		ConfigurationPropertySource source = property.getSource();
		return source != null && source.getUnderlyingSource() instanceof InheritedDefaults;
	}

}
