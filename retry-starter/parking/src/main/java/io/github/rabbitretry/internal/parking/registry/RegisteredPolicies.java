/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.registry;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.github.rabbitretry.internal.configuration.ResolvedKeys;
import io.github.rabbitretry.internal.parking.ledger.LedgerMaintenance;
import io.github.rabbitretry.internal.policy.MessagePolicies;
import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.internal.topology.TypeTopology;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.dao.DataAccessException;

/**
 * The policies of all services that share a ledger, as the services registered them. What
 * one registered and cannot be read takes nothing from the others.
 */
public final class RegisteredPolicies {

	private static final Duration BETWEEN_REFRESHES = Duration.ofSeconds(10);

	private static final Log logger = LogFactory.getLog(RegisteredPolicies.class);

	private final ServiceRegistry registry;

	private final MessagePolicies policies = new MessagePolicies(List.of());

	private volatile List<RegisteredService> services = List.of();

	private Map<String, Reading> readings = Map.of();

	/**
	 * Creates them, without policies until {@link #refresh()}.
	 * @param registry where services are registered
	 */
	public RegisteredPolicies(ServiceRegistry registry) {
		this.registry = registry;
	}

	/**
	 * The policies of all services.
	 * @return always the same object, with the policies of the last refresh
	 */
	public MessagePolicies policies() {
		return this.policies;
	}

	/**
	 * The topologies of all services, by message type.
	 * @return the topologies
	 */
	public List<TypeTopology> topologies() {
		return this.policies.all().stream().map(MessagePolicy::typeTopology).toList();
	}

	/**
	 * The services of the last refresh.
	 * @return the services, the last one registered first
	 */
	public List<RegisteredService> services() {
		return this.services;
	}

	/**
	 * The work that keeps them current.
	 * @return what there is to do
	 */
	public List<LedgerMaintenance.Task> tasks() {
		return List.of(new LedgerMaintenance.Task(BETWEEN_REFRESHES, this::refresh,
				"Policies of services that register are not read"));
	}

	/**
	 * Reads the services and their policies.
	 * @throws DataAccessException if that fails; then all stays as it was
	 */
	public synchronized void refresh() {
		Map<String, Reading> current = new LinkedHashMap<>();
		for (ServiceRegistry.Registration registration : this.registry.registrations()) {
			Reading before = this.readings.get(registration.service().application());
			current.put(registration.service().application(),
					(before != null && before.written().equals(registration.policies()))
							? before.of(registration.service()) : read(registration));
		}
		this.readings = current;
		List<MessagePolicy> used = new ArrayList<>();
		List<RegisteredService> known = used(current.values(), used);
		this.policies.replace(used);
		report(known);
		this.services = known;
	}

	private static Reading read(ServiceRegistry.Registration registration) {
		try {
			return new Reading(registration.service(), registration.policies(),
					List.copyOf(ResolvedKeys.read(registration.policies()).all()));
		}
		catch (RuntimeException ex) {
			return new Reading(
					registration.service().withProblem("Its policies can't be read here: " + ex.getMessage()),
					registration.policies(), List.of());
		}
	}

	/** Of two services with the same queue, the one that registered last has it. */
	private static List<RegisteredService> used(Collection<Reading> readings, List<MessagePolicy> used) {
		Map<String, String> owners = new HashMap<>();
		List<RegisteredService> services = new ArrayList<>();
		for (Reading reading : readings) {
			List<String> taken = new ArrayList<>();
			for (MessagePolicy policy : reading.policies()) {
				String owner = owners.putIfAbsent(policy.queue(), reading.service().application());
				if (owner == null) {
					used.add(policy);
				}
				else {
					taken.add("'%s' of %s".formatted(policy.queue(), owner));
				}
			}
			services.add(taken.isEmpty() ? reading.service()
					: reading.service()
						.withProblem("Its work queues are also those of services that registered later: %s"
							.formatted(String.join(", ", taken))));
		}
		return List.copyOf(services);
	}

	/** Each problem once. */
	private void report(List<RegisteredService> known) {
		Map<String, String> before = new HashMap<>();
		this.services.forEach((service) -> before.put(service.application(), String.valueOf(service.problem())));
		for (RegisteredService service : known) {
			if (service.problem() != null && !Objects.equals(service.problem(), before.get(service.application()))) {
				logger.warn("Service '%s': %s".formatted(service.application(), service.problem()));
			}
		}
	}

	/**
	 * The policies of a service.
	 *
	 * @param service whose they are, with the problem if they can't be read
	 * @param written what they were read from
	 * @param policies the policies
	 */
	private record Reading(RegisteredService service, String written, List<MessagePolicy> policies) {

		/** The same policies, registered again. */
		Reading of(RegisteredService again) {
			String problem = this.service.problem();
			return new Reading((problem != null) ? again.withProblem(problem) : again, this.written, this.policies);
		}

	}

}
