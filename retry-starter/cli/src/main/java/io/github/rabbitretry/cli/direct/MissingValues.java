/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.cli.direct;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.util.PlaceholderResolutionException;

/**
 * Finds what a service's configuration takes from its surroundings and this process has
 * not: Spring Boot would take the placeholder itself for the password.
 */
final class MissingValues {

	private static final Pattern NEEDED = Pattern.compile("spring\\.(rabbitmq|datasource)\\..*");

	private static final Pattern VIRTUAL_HOST = Pattern.compile("spring\\.rabbitmq\\.(virtual-?host|addresses).*");

	/** What the queues of a policy are called, and which there are. */
	private static final Pattern QUEUES = Pattern.compile(
			"rabbitretry\\.(defaults|messagepolicies\\W.+?)\\.(queue|exchange|routingkeys|names|ring|workqueue|retrybackoff"
					+ "|initialdelay|maxdelay|multiplier|jitter|schedule|brokerattempts|poison|deliverylimit|ordering"
					+ "|rejection)(\\W.*)?" + "|rabbitretry\\.(topology|ledger)\\..*");

	private MissingValues() {
	}

	/**
	 * Looks at what leads to broker and database.
	 * @param environment the configuration
	 * @param offline whether broker and database are not needed
	 * @return what to tell the user, without any value, or empty if nothing is missing
	 */
	static Optional<String> in(ConfigurableEnvironment environment, boolean offline) {
		return environment.getPropertySources()
			.stream()
			.flatMap((source) -> (source instanceof EnumerablePropertySource<?> known)
					? Arrays.stream(known.getPropertyNames()) : Stream.empty())
			.filter((name) -> isNeeded(name, offline))
			.sorted()
			.flatMap((name) -> missing(name, environment).stream())
			.findFirst();
	}

	static boolean isNeeded(String name, boolean offline) {
		String uniform = name.replace("-", "").replace("_", "").toLowerCase(Locale.ROOT);
		return (offline ? VIRTUAL_HOST : NEEDED).matcher(name).matches() || QUEUES.matcher(uniform).matches();
	}

	private static Optional<String> missing(String name, ConfigurableEnvironment environment) {
		try {
			environment.getProperty(name);
			return Optional.empty();
		}
		catch (PlaceholderResolutionException ex) {
			return Optional.of("%s needs %s, which is not set here. Set it as it is set for the service."
				.formatted(name, ex.getPlaceholder()));
		}
	}

}
