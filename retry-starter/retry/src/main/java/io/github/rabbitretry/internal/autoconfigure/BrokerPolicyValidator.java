/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.net.URI;
import java.time.Duration;

import io.github.rabbitretry.internal.brokerpolicy.BrokerPolicyMode;
import io.github.rabbitretry.internal.brokerpolicy.BrokerPolicySettings;
import io.github.rabbitretry.internal.declaration.TopologyMode;
import io.github.rabbitretry.internal.management.ManagementAccess;
import io.github.rabbitretry.internal.topology.InvalidConfigurationException;
import org.jspecify.annotations.Nullable;

/**
 * How broker policies are looked for, validated.
 */
final class BrokerPolicyValidator {

	private static final Duration SHORTEST = Duration.ofMillis(100);

	private static final Duration LONGEST = Duration.ofHours(1);

	/** Until the next look, messages are lost that a displaced policy would have kept. */
	private static final Duration LONGEST_IF_REQUIRED = Duration.ofSeconds(10);

	private BrokerPolicyValidator() {
	}

	static BrokerPolicySettings of(RabbitRetryProperties properties) {
		RabbitRetryProperties.TopologyProperties topology = properties.topology();
		RabbitRetryProperties.BrokerProperties broker = properties.broker();
		Duration interval = topology.policiesInterval();
		if (interval.compareTo(SHORTEST) < 0 || interval.compareTo(LONGEST) > 0) {
			throw new InvalidConfigurationException("rabbit-retry.topology.policies-interval", interval,
					"must be between 100ms and 1h", "Use 2m, the default.");
		}
		String username = orNull(broker.managementUsername());
		String password = orNull(broker.managementPassword());
		if ((username == null) != (password == null)) {
			throw (username != null)
					? new InvalidConfigurationException("rabbit-retry.broker.management-username", username,
							"has no management-password", "Set both, or none for the connection's user.")
					: new InvalidConfigurationException("rabbit-retry.broker.management-password", "******",
							"has no management-username", "Set both, or none for the connection's user.");
		}
		String url = orNull(broker.managementUrl());
		checkUrl(url);
		// with mode none the queues are somebody else's, and nothing is known of them
		boolean required = topology.arguments() == TopologyArguments.MINIMAL && topology.mode() != TopologyMode.NONE;
		if (required && topology.policies() == BrokerPolicyMode.IGNORE) {
			throw new InvalidConfigurationException("rabbit-retry.topology.policies", "ignore",
					"can't be combined with arguments: minimal, since policies have to be looked at then",
					"Set policies to fail or warn, or arguments to full.");
		}
		if (required && interval.compareTo(LONGEST_IF_REQUIRED) > 0) {
			interval = LONGEST_IF_REQUIRED;
		}
		return new BrokerPolicySettings(topology.policies(), interval, new ManagementAccess(url, username, password),
				required);
	}

	private static @Nullable String orNull(@Nullable String text) {
		return (text == null || text.isBlank()) ? null : text.strip();
	}

	private static void checkUrl(@Nullable String url) {
		if (url == null) {
			return;
		}
		try {
			URI uri = URI.create(url);
			boolean web = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
			if (web && uri.getHost() != null && uri.getUserInfo() == null && uri.getQuery() == null) {
				return;
			}
		}
		catch (IllegalArgumentException ex) {
			// told below, without the value, which may hold a password
		}
		throw new InvalidConfigurationException("rabbit-retry.broker.management-url", "(not shown)",
				"must be an http or https address without user, password and query",
				"Use http://broker.example:15672, and management-username and management-password.");
	}

}
