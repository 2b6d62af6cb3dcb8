/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.configuration;

import java.util.LinkedHashMap;
import java.util.Map;

import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * The keys of message policies, spelled as in the files. Environment variables are in
 * upper case and without dashes, and do not make policies of their own beside those.
 */
public final class PolicyNames {

	private PolicyNames() {
	}

	/**
	 * Finds the policies wherever they are set.
	 * @param environment where they are set
	 * @return the key of each policy by message type
	 */
	public static Map<String, ConfigurationPropertyName> in(Environment environment) {
		return in(ConfigurationPropertySources.get(environment));
	}

	static Map<String, ConfigurationPropertyName> in(Iterable<ConfigurationPropertySource> sources) {
		Map<String, ConfigurationPropertyName> policies = new LinkedHashMap<>();
		add(policies, sources, false);
		add(policies, sources, true);
		return policies;
	}

	private static void add(Map<String, ConfigurationPropertyName> policies,
			Iterable<ConfigurationPropertySource> sources, boolean variables) {
		for (ConfigurationPropertySource source : sources) {
			Object underlying = source.getUnderlyingSource();
			if (source instanceof IterableConfigurationPropertySource iterable
					&& !(underlying instanceof InheritedDefaults)
					&& variables == underlying instanceof SystemEnvironmentPropertySource) {
				iterable.stream()
					.filter(StrictBindHandler.POLICIES::isAncestorOf)
					.map((name) -> name.chop(StrictBindHandler.POLICIES.getNumberOfElements() + 1))
					.filter((name) -> !variables || !policies.containsValue(name))
					.forEach((name) -> policies.putIfAbsent(name.getLastElement(Form.ORIGINAL), name));
			}
		}
	}

	/**
	 * Spells the key of a policy as its file does.
	 * @param name any key
	 * @param policies the keys of all policies
	 * @return the same key
	 */
	static ConfigurationPropertyName spelled(ConfigurationPropertyName name,
			Map<String, ConfigurationPropertyName> policies) {
		return policies.values()
			.stream()
			.filter((policy) -> policy.isAncestorOf(name))
			.findFirst()
			.map((policy) -> policy.append(name.subName(policy.getNumberOfElements())))
			.orElse(name);
	}

}
