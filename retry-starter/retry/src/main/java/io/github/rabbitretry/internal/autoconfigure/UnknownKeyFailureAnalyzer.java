/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

import io.github.rabbitretry.internal.configuration.KnownKeys;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Explains keys that are not known, with those that are: Boot's own analysis, which this
 * one comes before, can't tell.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class UnknownKeyFailureAnalyzer extends AbstractFailureAnalyzer<UnboundConfigurationPropertiesException> {

	private static final ConfigurationPropertyName OURS = ConfigurationPropertyName.of("rabbit-retry");

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, UnboundConfigurationPropertiesException cause) {
		if (!cause.getUnboundProperties().stream().allMatch((property) -> OURS.isAncestorOf(property.getName()))) {
			return null;
		}
		String description = cause.getUnboundProperties()
			.stream()
			.map((property) -> "%n%n    Property: %s%n    Value: \"%s\"%n    Origin: %s%n    Reason: is not a key of Rabbit Retry"
				.formatted(property.getName(), property.getValue(), property.getOrigin()))
			.collect(Collectors.joining());
		String remedy = cause.getUnboundProperties()
			.stream()
			.map(UnknownKeyFailureAnalyzer::remedy)
			.distinct()
			.collect(Collectors.joining(System.lineSeparator()));
		return new FailureAnalysis("Rabbit Retry is configured with keys that are not known:" + description, remedy,
				cause);
	}

	private static String remedy(ConfigurationProperty property) {
		List<String> path = new ArrayList<>();
		ConfigurationPropertyName name = property.getName();
		for (int index = 1; index < name.getNumberOfElements(); index++) {
			path.add(name.getElement(index, Form.ORIGINAL));
		}
		KnownKeys.Place place = KnownKeys.unknown(path);
		return place.meant().map("Did you mean '%s'? "::formatted).orElse("")
				+ "The keys there are: %s.".formatted(String.join(", ", place.known()));
	}

}
