/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.configuration;

import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.Environment;

/**
 * Warns of keys that the chosen back-off does not look at. What a default says to the
 * policies that can use it is no mistake.
 */
final class UnusedBackoffKeys {

	private static final Map<BackoffKind, Set<String>> USED = Map.of(BackoffKind.FIXED, Set.of("initial-delay"),
			BackoffKind.LINEAR, Set.of("initial-delay", "max-delay"), BackoffKind.EXPONENTIAL,
			Set.of("initial-delay", "multiplier", "max-delay"), BackoffKind.EXPONENTIAL_JITTER,
			Set.of("initial-delay", "multiplier", "max-delay", "jitter"), BackoffKind.SCHEDULE, Set.of("schedule"),
			BackoffKind.CALENDAR, Set.of("initial-delay", "calendar"));

	private UnusedBackoffKeys() {
	}

	static void warn(RabbitRetryProperties properties, Environment environment) {
		Set<BackoffKind> kinds = EnumSet.noneOf(BackoffKind.class);
		Map<String, Set<String>> written = written(environment);
		properties.messagePolicies().forEach((messageType, policy) -> {
			kinds.add(policy.retryBackoff());
			warn("rabbit-retry.message-policies." + messageType, policy,
					written.getOrDefault(uniform(messageType), Set.of()), Set.of(policy.retryBackoff()));
		});
		if (!kinds.isEmpty() && properties.defaults() != null) {
			warn("rabbit-retry.defaults", properties.defaults(), written.getOrDefault("", Set.of()), kinds);
		}
	}

	/**
	 * What policies do not inherit, by message type, and the defaults by an empty one.
	 */
	private static Map<String, Set<String>> written(Environment environment) {
		Map<String, Set<String>> keys = new HashMap<>();
		for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
			if (source instanceof IterableConfigurationPropertySource iterable
					&& !(source.getUnderlyingSource() instanceof InheritedDefaults)) {
				iterable.forEach((name) -> {
					if (StrictBindHandler.DEFAULTS.isAncestorOf(name)) {
						keys.computeIfAbsent("", (any) -> new HashSet<>()).add(name.getElement(2, Form.UNIFORM));
					}
					else if (StrictBindHandler.POLICIES.isAncestorOf(name) && name.getNumberOfElements() > 3) {
						keys.computeIfAbsent(uniform(name.getElement(2, Form.ORIGINAL)), (any) -> new HashSet<>())
							.add(name.getElement(3, Form.UNIFORM));
					}
				});
			}
		}
		return keys;
	}

	private static String uniform(String element) {
		return element.replaceAll("[-_]", "").toLowerCase(Locale.ROOT);
	}

	private static void warn(String prefix, PolicyProperties properties, Set<String> written,
			Collection<BackoffKind> kinds) {
		Map<String, @Nullable Object> values = new LinkedHashMap<>();
		values.put("initial-delay", properties.initialDelay());
		values.put("multiplier", properties.multiplier());
		values.put("max-delay", properties.maxDelay());
		values.put("jitter", properties.jitter());
		values.put("schedule", properties.schedule().isEmpty() ? null : properties.schedule());
		values.put("calendar", properties.calendar().zone());
		values.forEach((key, value) -> {
			if (value != null && written.contains(uniform(key))
					&& kinds.stream().noneMatch((kind) -> using(key).contains(kind))) {
				ConfigurationWarning.log(prefix + "." + key, value,
						"has no effect with retry-backoff %s".formatted(names(kinds)),
						"Remove it, or set retry-backoff to %s.".formatted(names(using(key)).replace(", ", " or ")));
			}
		});
	}

	private static List<BackoffKind> using(String key) {
		return USED.keySet().stream().filter((kind) -> Objects.requireNonNull(USED.get(kind)).contains(key)).toList();
	}

	private static String names(Collection<BackoffKind> kinds) {
		return String.join(", ",
				kinds.stream().sorted().map((kind) -> kind.name().toLowerCase(Locale.ROOT).replace('_', '-')).toList());
	}

}
