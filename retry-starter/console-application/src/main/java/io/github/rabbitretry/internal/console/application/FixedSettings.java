/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.console.application;

import java.util.Map;

import io.github.rabbitretry.internal.topology.InvalidConfigurationException;

import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * What the operations application leaves to the services, and what it needs.
 */
final class FixedSettings implements BeanFactoryPostProcessor {

	private static final Map<String, String> FIXED = Map.of("rabbit-retry.ledger.initialize-schema", "never",
			"rabbit-retry.ledger.ingest", "false", "rabbit-retry.topology.mode", "none");

	private final Environment environment;

	FixedSettings(Environment environment) {
		this.environment = environment;
	}

	@Override
	public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
		Map<String, Object> policies = Binder.get(this.environment)
			.bind("rabbit-retry.message-policies", Bindable.mapOf(String.class, Object.class))
			.orElse(Map.of());
		if (!policies.isEmpty()) {
			throw new InvalidConfigurationException("rabbit-retry.message-policies", policies.keySet(),
					"belongs to services, which register their policies in the ledger", "Remove it here.");
		}
		FIXED.forEach((property, value) -> {
			String given = this.environment.getProperty(property, value);
			if (!value.equalsIgnoreCase(given)) {
				throw new InvalidConfigurationException(property, given,
						"is left to the services, and is %s in the operations application".formatted(value),
						"Remove it here.");
			}
		});
		String port = this.environment.getProperty("management.server.port");
		if (port != null) {
			throw new InvalidConfigurationException("management.server.port", port,
					"separates endpoints from the login, and the operations application is nothing but endpoints",
					"Use server.port.");
		}
		if (!StringUtils.hasText(this.environment.getProperty("spring.datasource.url"))) {
			throw new InvalidConfigurationException("spring.datasource.url", "",
					"is not set: the operations application needs the ledger's database",
					"Set it with username and password, as in the services.");
		}
	}

}
