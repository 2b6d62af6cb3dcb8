/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.outage;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

import io.github.rabbitretry.event.DeliveryListener;
import io.github.rabbitretry.event.DeliveryListener.Outage;
import io.github.rabbitretry.internal.health.HealthProblem;
import io.github.rabbitretry.internal.health.HealthSource;
import io.github.rabbitretry.internal.policy.HandlerTime;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import org.jspecify.annotations.Nullable;

/**
 * The services that handlers call, as far as policies with {@code outage} name them. An
 * outage is shown by the health indicator, but is no problem of this application: a
 * platform that restarted it would only have it forget what it knows.
 */
public final class Dependencies implements HealthSource, AutoCloseable {

	/** A pause waits as long for handlers. */
	private static final Duration PROBE_TIME = Duration.ofMinutes(1);

	private final Map<String, Dependency> byName = new TreeMap<>();

	/**
	 * Creates them.
	 * @param policies whose services they are
	 * @param events the listener to notify
	 * @param clock what time it is
	 */
	public Dependencies(MessagePolicies policies, DeliveryListener events, InstantSource clock) {
		Map<String, List<MessagePolicy>> sharing = new TreeMap<>();
		for (MessagePolicy policy : policies.all()) {
			if (policy.outage() != null) {
				sharing.computeIfAbsent(policy.outage().dependency(), (name) -> new ArrayList<>()).add(policy);
			}
		}
		sharing.forEach((name, its) -> this.byName.put(name,
				new Dependency(Objects.requireNonNull(its.get(0).outage()).shared(),
						its.stream().map(MessagePolicy::messageType).sorted().toList(),
						longestCall(its).plus(PROBE_TIME), events, clock)));
	}

	private static Duration longestCall(List<MessagePolicy> policies) {
		return policies.stream()
			.map(MessagePolicy::handlerTime)
			.filter(Objects::nonNull)
			.map(HandlerTime::timeout)
			.max(Comparator.naturalOrder())
			.orElse(Duration.ZERO);
	}

	/**
	 * The service that the handler of a message type calls.
	 * @param policy the policy
	 * @return the service, or {@code null} without {@code outage}
	 */
	public @Nullable Dependency of(MessagePolicy policy) {
		return (policy.outage() != null) ? this.byName.get(policy.outage().dependency()) : null;
	}

	/**
	 * All services.
	 * @return their circuits
	 */
	public Collection<DependencyCircuit> circuits() {
		return this.byName.values().stream().map(Dependency::circuit).toList();
	}

	@Override
	public List<HealthProblem> problems() {
		return List.of();
	}

	@Override
	public Map<String, Object> details() {
		List<Map<String, Object>> outages = new ArrayList<>();
		for (DependencyCircuit circuit : circuits()) {
			Outage outage = circuit.outage();
			if (outage != null) {
				outages.add(details(outage));
			}
		}
		return outages.isEmpty() ? Map.of() : Map.of("outages", outages);
	}

	private static Map<String, Object> details(Outage outage) {
		Map<String, Object> details = new LinkedHashMap<>();
		details.put("dependency", outage.dependency());
		details.put("messageTypes", outage.messageTypes());
		details.put("reason", outage.reason());
		details.put("since", outage.began().toString());
		details.put("probes", outage.probes());
		return details;
	}

	@Override
	public void close() {
		this.byName.values().forEach(Dependency::close);
	}

}
