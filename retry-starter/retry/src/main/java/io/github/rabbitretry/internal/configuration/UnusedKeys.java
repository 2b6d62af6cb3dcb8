/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.configuration;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.rabbitretry.internal.topology.QueueType;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.ConfigurationPropertyState;
import org.springframework.core.env.Environment;

/**
 * Warns of keys of policies that have no effect. What a default says to the policies that
 * can use it is no mistake.
 */
final class UnusedKeys {

	private final Iterable<ConfigurationPropertySource> sources;

	private UnusedKeys(Environment environment) {
		this.sources = ConfigurationPropertySources.get(environment);
	}

	static void warn(RabbitRetryProperties properties, Environment environment) {
		UnusedKeys keys = new UnusedKeys(environment);
		Set<BackoffKind> kinds = EnumSet.noneOf(BackoffKind.class);
		Map<String, ConfigurationPropertyName> names = PolicyNames.in(keys.sources);
		properties.messagePolicies().forEach((messageType, policy) -> {
			kinds.add(policy.retryBackoff());
			ConfigurationPropertyName name = names.get(messageType);
			if (name != null) {
				keys.warn(name, policy, EnumSet.of(policy.retryBackoff()));
			}
			if (policy.deliveryLimit() != null && properties.topology().queueType() == QueueType.CLASSIC) {
				ConfigurationWarning.log(PolicyAssembler.property(messageType, "delivery-limit"),
						policy.deliveryLimit(),
						"has no effect with rabbit-retry.topology.queue-type classic, whose queues count no deliveries",
						"Remove it, or set queue-type to quorum.");
			}
		});
		if (!kinds.isEmpty() && properties.defaults() != null) {
			keys.warn(StrictBindHandler.DEFAULTS, properties.defaults(), kinds);
		}
	}

	private void warn(ConfigurationPropertyName name, PolicyProperties properties, Set<BackoffKind> kinds) {
		Map<String, @Nullable Object> values = new LinkedHashMap<>();
		values.put("initial-delay", properties.initialDelay());
		values.put("multiplier", properties.multiplier());
		values.put("max-delay", properties.maxDelay());
		values.put("jitter", properties.jitter());
		values.put("schedule", properties.schedule());
		values.put("calendar", properties.calendar().zone());
		values.forEach((key, value) -> {
			if (value != null && isWritten(name.append(key)) && kinds.stream().noneMatch((kind) -> kind.uses(key))) {
				ConfigurationWarning.log(StrictBindHandler.property(name) + "." + key, value,
						"has no effect with retry-backoff %s".formatted(names(kinds.stream(), ", ")),
						"Remove it, or set retry-backoff to %s.".formatted(
								names(Arrays.stream(BackoffKind.values()).filter((kind) -> kind.uses(key)), " or ")));
			}
		});
	}

	/** And not inherited. */
	private boolean isWritten(ConfigurationPropertyName key) {
		for (ConfigurationPropertySource source : this.sources) {
			if (!(source.getUnderlyingSource() instanceof InheritedDefaults)
					&& (source.getConfigurationProperty(key) != null
							|| source.containsDescendantOf(key) == ConfigurationPropertyState.PRESENT)) {
				return true;
			}
		}
		return false;
	}

	private static String names(Stream<BackoffKind> kinds, String separator) {
		return kinds.map((kind) -> kind.name().toLowerCase(Locale.ROOT).replace('_', '-'))
			.collect(Collectors.joining(separator));
	}

}
