/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.time.Duration;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import io.github.rabbitretry.internal.configuration.ConfigurationWarning;
import io.github.rabbitretry.internal.configuration.PolicyBinder;
import org.jspecify.annotations.Nullable;

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

	static void warn(Map<String, PolicyProperties> policies, PolicyBinder keys) {
		Set<BackoffKind> kinds = EnumSet.noneOf(BackoffKind.class);
		policies.forEach((messageType, policy) -> {
			kinds.add(policy.retryBackoff());
			warn("rabbit-retry.message-policies." + messageType, keys.own(messageType, Given.class),
					Set.of(policy.retryBackoff()));
		});
		if (!kinds.isEmpty()) {
			warn("rabbit-retry.defaults", keys.defaults(Given.class), kinds);
		}
	}

	private static void warn(String prefix, Given properties, Collection<BackoffKind> kinds) {
		set(properties).forEach((key, value) -> {
			if (kinds.stream().noneMatch((kind) -> Objects.requireNonNull(USED.get(kind)).contains(key))) {
				ConfigurationWarning.log(prefix + "." + key, value,
						"has no effect with retry-backoff %s".formatted(names(kinds)),
						"Remove it, or set retry-backoff to %s.".formatted(names(using(key)).replace(", ", " or ")));
			}
		});
	}

	private static Map<String, Object> set(Given properties) {
		Map<String, Object> set = new LinkedHashMap<>();
		put(set, "initial-delay", properties.initialDelay());
		put(set, "multiplier", properties.multiplier());
		put(set, "max-delay", properties.maxDelay());
		put(set, "jitter", properties.jitter());
		put(set, "schedule", List.of().equals(properties.schedule()) ? null : properties.schedule());
		put(set, "calendar", (properties.calendar() != null) ? properties.calendar().zone() : null);
		return set;
	}

	private static void put(Map<String, Object> set, String key, @Nullable Object value) {
		if (value != null) {
			set.put(key, value);
		}
	}

	private static List<BackoffKind> using(String key) {
		return USED.keySet().stream().filter((kind) -> Objects.requireNonNull(USED.get(kind)).contains(key)).toList();
	}

	private static String names(Collection<BackoffKind> kinds) {
		return String.join(", ",
				kinds.stream().sorted().map((kind) -> kind.name().toLowerCase(Locale.ROOT).replace('_', '-')).toList());
	}

	/**
	 * The keys that are given.
	 *
	 * @param initialDelay as of a policy, as are the others
	 * @param multiplier likewise
	 * @param maxDelay likewise
	 * @param jitter likewise
	 * @param schedule likewise
	 * @param calendar what the calendar can't do without
	 */
	record Given(@Nullable Duration initialDelay, @Nullable Double multiplier, @Nullable Duration maxDelay,
			@Nullable Double jitter, @Nullable List<String> schedule, @Nullable Zone calendar) {
	}

	/**
	 * The zone of a calendar.
	 *
	 * @param zone as of a calendar
	 */
	record Zone(@Nullable String zone) {
	}

}
