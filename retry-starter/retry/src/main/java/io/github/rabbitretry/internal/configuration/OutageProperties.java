/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.configuration;

import java.time.Duration;
import java.util.Set;

import io.github.rabbitretry.internal.policy.OutageSettings;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.ClassUtils;

/**
 * How outages of a service that the handler calls are treated.
 *
 * @param enabled Whether consumption is paused while the service is down, so that no
 * attempts are used up.
 * @param dependency Name of the service; message types that share it are paused together.
 * Default is the message type.
 * @param reasons Failure reasons that indicate that the service is down. Default is
 * DOWNSTREAM_TIMEOUT and DOWNSTREAM_UNAVAILABLE.
 * @param failureRate Fraction of the most recent calls that must fail for these reasons,
 * from 0.001 to 1. Default is 0.5.
 * @param calls Number of most recent calls that are evaluated, from 2 to 10000. Default
 * is 10.
 * @param probeInterval Time until probes with single messages. Doubled each time that all
 * of them fail. Default is 5s.
 * @param maxProbeInterval Maximum time until the next probes. Default is 20s.
 * @param resumeCalls Number of probes after which failure-rate decides whether the queue
 * is consumed normally again, from 1 to 1000. Default is 5.
 * @param excludeFromAge Whether outages that this process has seen are excluded from
 * max-retry-age.
 */
record OutageProperties(@DefaultValue("false") boolean enabled, @Nullable String dependency, @DefaultValue( {
		"DOWNSTREAM_TIMEOUT", "DOWNSTREAM_UNAVAILABLE" }) Set<String> reasons, @DefaultValue("0.5") double failureRate,
		@DefaultValue("10") int calls, @DefaultValue("5s") Duration probeInterval,
		@DefaultValue("20s") Duration maxProbeInterval, @DefaultValue("5") int resumeCalls,
		@DefaultValue("false") boolean excludeFromAge){

	private static final String CIRCUIT_BREAKER = "io.github.resilience4j.circuitbreaker.CircuitBreaker";

	private static final Duration LONGEST_INTERVAL = Duration.ofHours(1);

	void check() {
		if (this.dependency != null) {
			Checks.text("outage.dependency", this.dependency);
		}
		Checks.reasons("outage.reasons", this.reasons);
		if (this.reasons.isEmpty()) {
			throw Checks.invalid("outage.reasons", this.reasons, "must have at least one reason",
					"Leave the key out for DOWNSTREAM_TIMEOUT and DOWNSTREAM_UNAVAILABLE.");
		}
		Checks.between("outage.failure-rate", this.failureRate, 0.001, 1, "Use 0.5, the default.");
		Checks.between("outage.calls", this.calls, 2, 10_000);
		Checks.between("outage.resume-calls", this.resumeCalls, 1, 1000);
		Checks.delay("outage.max-probe-interval", this.maxProbeInterval);
		Checks.atMost("outage.max-probe-interval", this.maxProbeInterval, LONGEST_INTERVAL,
				"Use 20s, the default; a probe is a single message.");
		Checks.delay("outage.probe-interval", this.probeInterval);
		if (this.probeInterval.compareTo(this.maxProbeInterval) > 0) {
			throw Checks.invalid("outage.probe-interval", this.probeInterval,
					"must be <= outage.max-probe-interval (%s)".formatted(this.maxProbeInterval),
					"Lower it, or raise max-probe-interval.");
		}
		if (this.enabled && !ClassUtils.isPresent(CIRCUIT_BREAKER, null)) {
			throw Checks.invalid("outage.enabled", true, "needs resilience4j's circuit breaker on the class path",
					"Add the dependency io.github.resilience4j:resilience4j-circuitbreaker, which rabbit-retry-spring-boot-starter brings.");
		}
	}

	@Nullable OutageSettings settings(String messageType) {
		return this.enabled ? new OutageSettings((this.dependency != null) ? this.dependency : messageType,
				this.reasons, this.failureRate, this.calls, this.probeInterval, this.maxProbeInterval, this.resumeCalls,
				this.excludeFromAge) : null;
	}

}
