/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.autoconfigure;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.policy.OutageSettings;
import io.github.rabbitretry.internal.topology.InvalidConfigurationException;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;

/**
 * Checks when a service counts as down.
 */
final class OutageValidator {

	private static final String CIRCUIT_BREAKER = "io.github.resilience4j.circuitbreaker.CircuitBreaker";

	private static final Duration LONGEST_INTERVAL = Duration.ofHours(1);

	private final PolicyValidator values;

	private final PolicyProperties.OutageProperties outage;

	OutageValidator(PolicyValidator values) {
		this.values = values;
		this.outage = values.properties().outage();
	}

	@Nullable OutageSettings settings(String messageType) {
		String dependency = (this.outage.dependency() != null)
				? this.values.text("outage.dependency", this.outage.dependency()) : messageType;
		Set<String> reasons = this.values.reasons("outage.reasons", this.outage.reasons());
		if (reasons.isEmpty()) {
			throw this.values.invalid("outage.reasons", reasons, "must have at least one reason",
					"Leave the key out for DOWNSTREAM_TIMEOUT and DOWNSTREAM_UNAVAILABLE.");
		}
		double rate = this.values.part("outage.failure-rate", this.outage.failureRate(), "Use 0.5, the default.");
		int calls = this.values.number("outage.calls", this.outage.calls(), 2, 10_000);
		int resumeCalls = this.values.number("outage.resume-calls", this.outage.resumeCalls(), 1, 1000);
		Duration longest = this.values.waited("outage.max-probe-interval", this.outage.maxProbeInterval());
		if (longest.compareTo(LONGEST_INTERVAL) > 0) {
			throw this.values.invalid("outage.max-probe-interval", longest, "must be at most " + LONGEST_INTERVAL,
					"Use 30s, the default; a probe is a single message.");
		}
		Duration interval = this.values.waited("outage.probe-interval", this.outage.probeInterval());
		if (interval.compareTo(longest) > 0) {
			throw this.values.invalid("outage.probe-interval", interval,
					"must be <= outage.max-probe-interval (%s)".formatted(longest),
					"Lower it, or raise max-probe-interval.");
		}
		if (!this.outage.enabled()) {
			return null;
		}
		if (this.values.brokerAttempts() == 0) {
			throw this.values.invalid("outage.enabled", true,
					"needs broker-attempts of 1 or more (0): a message that an outage catches waits in a retry queue",
					"Set broker-attempts to 1, or outage.enabled to false for this message type.");
		}
		if (!ClassUtils.isPresent(CIRCUIT_BREAKER, null)) {
			throw this.values.invalid("outage.enabled", true, "needs resilience4j's circuit breaker on the class path",
					"Add the dependency io.github.resilience4j:resilience4j-circuitbreaker, which rabbit-retry-spring-boot-starter brings.");
		}
		return new OutageSettings(dependency, reasons, rate, calls, interval, longest, resumeCalls,
				this.outage.excludeFromAge());
	}

	/** Message types that share a service share its circuit. */
	static void agree(Collection<MessagePolicy> policies) {
		Map<String, MessagePolicy> first = new HashMap<>();
		for (MessagePolicy policy : policies) {
			OutageSettings outage = policy.outage();
			MessagePolicy other = (outage != null) ? first.putIfAbsent(outage.dependency(), policy) : null;
			if (outage != null && other != null && other.outage() != null
					&& !outage.shared().equals(other.outage().shared())) {
				throw new InvalidConfigurationException(
						"rabbit-retry.message-policies.%s.outage.dependency".formatted(policy.messageType()),
						outage.dependency(),
						"is the service of policy '%s' too, whose other keys of outage differ"
							.formatted(other.messageType()),
						"Give both the same failure-rate, calls, probe-interval, max-probe-interval and resume-calls, as under rabbit-retry.defaults.outage.");
			}
		}
	}

}
