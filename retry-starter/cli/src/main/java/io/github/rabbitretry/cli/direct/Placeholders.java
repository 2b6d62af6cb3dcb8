/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli.direct;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.github.rabbitretry.cli.service.ServiceException;

import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.util.PlaceholderResolutionException;

/**
 * Values that a service's configuration takes from its surroundings and this process has
 * not. Those that matter here have to be set; the others are left out, as Spring Boot
 * would take the placeholder itself for the value.
 */
final class Placeholders {

	private static final Pattern READ = Pattern.compile("rabbitretry\\..*|spring\\.(rabbitmq\\..*|application\\.name)");

	private static final Pattern BROKER = Pattern.compile("spring\\.(rabbitmq\\..*|application\\.name)");

	private static final Pattern OFFLINE = Pattern
		.compile("spring\\.(rabbitmq\\.(virtualhost|addresses).*|application\\.name)");

	private static final Pattern MANAGEMENT = Pattern.compile("rabbitretry\\.broker\\.management.*");

	/** What the queues of a policy are called, and which there are. */
	private static final Pattern QUEUES = Pattern.compile(
			"rabbitretry\\.(defaults|messagepolicies\\W.+?)\\.(queue|exchange|routingkeys|names|ring|workqueue|retrybackoff"
					+ "|initialdelay|maxdelay|multiplier|jitter|schedule|brokerattempts|poison|deliverylimit|ordering"
					+ "|rejection)(\\W.*)?" + "|rabbitretry\\.(topology|ledger)\\..*");

	private static final Pattern INDEX = Pattern.compile("(\\[\\d+])+(\\..*)?$");

	private Placeholders() {
	}

	static String uniform(String name) {
		return name.replace("-", "").replace("_", "").toLowerCase(Locale.ROOT);
	}

	/**
	 * Looks at all values that are read here.
	 * @param environment the configuration
	 * @param offline whether the broker is not needed
	 * @throws ServiceException if one is missing that matters here; it has no value in it
	 */
	static void check(ConfigurableEnvironment environment, boolean offline) {
		for (PropertySource<?> source : environment.getPropertySources().stream().toList()) {
			Map<String, String> missing = (source instanceof MapPropertySource known)
					? missing(known.getPropertyNames(), environment) : Map.of();
			missing.forEach((name, placeholder) -> {
				if (isNeeded(uniform(name), offline)) {
					throw ServiceException
						.usage("%s needs %s, which is not set here. Set it as it is set for the service."
							.formatted(name, placeholder));
				}
			});
			if (!missing.isEmpty()) {
				environment.getPropertySources()
					.replace(source.getName(), without((MapPropertySource) source, missing.keySet()));
			}
		}
	}

	private static Map<String, String> missing(String[] names, ConfigurableEnvironment environment) {
		Map<String, String> missing = new TreeMap<>();
		for (String name : names) {
			if (READ.matcher(uniform(name)).matches()) {
				try {
					environment.getProperty(name);
				}
				catch (PlaceholderResolutionException ex) {
					missing.put(name, String.valueOf(ex.getPlaceholder()));
				}
			}
		}
		return missing;
	}

	private static boolean isNeeded(String uniform, boolean offline) {
		return (offline ? OFFLINE : BROKER).matcher(uniform).matches() || QUEUES.matcher(uniform).matches();
	}

	/** Half a list, or a user without a password, would be another mistake. */
	private static PropertySource<?> without(MapPropertySource source, Set<String> unknown) {
		Set<String> lists = unknown.stream().map(Placeholders::list).collect(Collectors.toSet());
		boolean management = unknown.stream().anyMatch(Placeholders::isManagement);
		return only(source, (name) -> !lists.contains(list(name)) && !(management && isManagement(name)));
	}

	/** A source that has only some of its values. */
	static PropertySource<?> only(MapPropertySource source, Predicate<String> names) {
		Map<String, Object> kept = new LinkedHashMap<>();
		for (String name : source.getPropertyNames()) {
			Object value = source.getProperty(name);
			if (value != null && names.test(name)) {
				kept.put(name, value);
			}
		}
		return new MapPropertySource(source.getName(), kept);
	}

	private static boolean isManagement(String name) {
		return MANAGEMENT.matcher(uniform(name)).matches();
	}

	private static String list(String name) {
		return INDEX.matcher(name).replaceFirst("");
	}

}
