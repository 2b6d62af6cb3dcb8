/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.configuration;

import java.util.List;
import java.util.function.Function;

import io.github.rabbitretry.internal.topology.InvalidConfigurationException;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.util.unit.DataSize;

/**
 * Explains a configuration that can't work, before Spring Boot does so in terms of its
 * binding. Values are shown as they are written: someone who wrote {@code 1h} does not
 * find {@code PT1H}.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class InvalidConfigurationFailureAnalyzer extends AbstractFailureAnalyzer<InvalidConfigurationException> {

	private static final List<Function<String, Object>> READINGS = List.of(DurationStyle::detectAndParse,
			Double::parseDouble, DataSize::parse);

	private final Environment environment;

	InvalidConfigurationFailureAnalyzer(Environment environment) {
		this.environment = environment;
	}

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidConfigurationException cause) {
		ConfigurationProperty property = find(ConfigurationPropertyName.adapt(cause.property(), '.'));
		String written = (property != null) ? String.valueOf(property.getValue()) : "";
		String origin = (property != null && property.getOrigin() != null)
				? "%n    Origin: %s".formatted(property.getOrigin()) : "";
		return new FailureAnalysis(
				"The configuration of Rabbit Retry is invalid:%n%n    Property: %s%n    Value: \"%s\"%s%n    Reason: %s"
					.formatted(cause.property(), means(written, cause.value()) ? written : cause.value(), origin,
							cause.relation()),
				cause.remedy(), cause);
	}

	private @Nullable ConfigurationProperty find(ConfigurationPropertyName name) {
		for (ConfigurationPropertySource source : ConfigurationPropertySources.get(this.environment)) {
			ConfigurationProperty property = source.getConfigurationProperty(name);
			if (property != null) {
				return property;
			}
		}
		return null;
	}

	private boolean means(String written, String bound) {
		String resolved = this.environment.resolvePlaceholders(written).strip();
		return READINGS.stream().anyMatch((reading) -> {
			try {
				return reading.apply(resolved).toString().equals(bound);
			}
			catch (IllegalArgumentException ex) {
				return false;
			}
		});
	}

}
