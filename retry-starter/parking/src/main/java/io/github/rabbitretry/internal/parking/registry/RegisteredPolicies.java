/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.registry;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
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
import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessException;

/**
 * The policies of all services that share a ledger, as the services registered them. What
 * one registered and cannot be read takes nothing from the others.
 */
public final class RegisteredPolicies {

	private static final Duration BETWEEN_REFRESHES = Duration.ofSeconds(10);

	private static final Log logger = LogFactory.getLog(RegisteredPolicies.class);

	private final ServiceRegistry registry;

	private final String virtualHost;

	private final MessagePolicies policies = new MessagePolicies(List.of());

	private volatile List<TypeTopology> topologies = List.of();

	private volatile List<Service> services = List.of();

	private volatile Map<String, Duration> retention = Map.of();

	private Map<ServiceRegistry.Registration, Reading> readings = Map.of();

	/**
	 * Creates them, without policies until {@link #refresh()}.
	 * @param registry where services are registered
	 * @param virtualHost where replays are published; services of others are left out
	 */
	public RegisteredPolicies(ServiceRegistry registry, String virtualHost) {
		this.registry = registry;
		this.virtualHost = virtualHost;
	}

	/**
	 * The policies of all services. Those that a service had until lately are among them,
	 * since messages of theirs may be parked.
	 * @return always the same object, with the policies of the last refresh
	 */
	public MessagePolicies policies() {
		return this.policies;
	}

	/**
	 * How long the services keep parked messages.
	 * @return by work queue; those of other queues are kept for ever
	 */
	public Map<String, Duration> retention() {
		return this.retention;
	}

	/**
	 * The topologies of the policies that services have now.
	 * @return the topologies
	 */
	public List<TypeTopology> topologies() {
		return this.topologies;
	}

	/**
	 * The services of the last refresh.
	 * @return the services, the last one that started first
	 */
	public List<Service> services() {
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
		Map<ServiceRegistry.Registration, Reading> current = new LinkedHashMap<>();
		Merge merge = new Merge();
		for (ServiceRegistry.Stored stored : this.registry.registrations()) {
			Reading reading = this.readings.get(stored.registration());
			if (reading == null) {
				reading = read(stored.registration());
			}
			current.put(stored.registration(), reading);
			merge.add(stored, reading);
		}
		this.readings = current;
		this.policies.replace(merge.policies.values());
		this.topologies = List.copyOf(merge.topologies);
		this.retention = Map.copyOf(merge.retention);
		List<Service> known = List.copyOf(merge.services.values());
		report(known);
		this.services = known;
	}

	private Reading read(ServiceRegistry.Registration registration) {
		String host = registration.virtualHost();
		if (host != null && !host.equals(this.virtualHost)) {
			return new Reading(List.of(), Map.of(),
					"Its queues are in virtual host '%s', not in '%s'".formatted(host, this.virtualHost));
		}
		try {
			return new Reading(List.copyOf(ResolvedKeys.read(registration.policies()).all()),
					ResolvedKeys.durations(registration.policies(), "ledger", "retention"), null);
		}
		catch (RuntimeException ex) {
			return new Reading(List.of(), Map.of(), "Its policies can't be read here: " + ex.getMessage());
		}
	}

	/** Each problem once. */
	private void report(List<Service> known) {
		Map<String, String> before = new HashMap<>();
		this.services.forEach((service) -> before.put(service.application(), String.valueOf(service.problem())));
		for (Service service : known) {
			if (service.problem() != null && !Objects.equals(service.problem(), before.get(service.application()))) {
				// what a service writes must not look like lines of this log
				logger.warn("Service '%s': %s".formatted(service.application(), service.problem())
					.replaceAll("\\p{Cntrl}+", " "));
			}
		}
	}

	/**
	 * A service whose parked messages are in this ledger.
	 *
	 * @param application its name
	 * @param handlerVersion the version that started last
	 * @param startedAt when
	 * @param seenAt when an instance last said that it runs, as each does every ten
	 * minutes
	 * @param problem why some or all of its policies are not used, or {@code null} if all
	 * are
	 */
	public record Service(String application, String handlerVersion, Instant startedAt, Instant seenAt,
			@Nullable String problem) {

	}

	/**
	 * What can be read of a registration.
	 *
	 * @param policies its policies
	 * @param retention how long its messages are kept, by message type
	 * @param problem why there are none, or {@code null}
	 */
	private record Reading(List<MessagePolicy> policies, Map<String, Duration> retention, @Nullable String problem) {
	}

	/**
	 * All registrations, the last one that started first: of two with a queue it has it.
	 */
	private static final class Merge {

		private final Map<String, MessagePolicy> policies = new LinkedHashMap<>();

		private final Map<String, String> applications = new HashMap<>();

		private final Map<String, Duration> retention = new HashMap<>();

		private final List<TypeTopology> topologies = new ArrayList<>();

		private final Map<String, Service> services = new LinkedHashMap<>();

		void add(ServiceRegistry.Stored stored, Reading reading) {
			String application = stored.registration().application();
			boolean newest = !this.services.containsKey(application);
			List<String> taken = new ArrayList<>();
			for (MessagePolicy policy : reading.policies()) {
				String other = this.applications.putIfAbsent(policy.queue(), application);
				if (other == null) {
					this.policies.put(policy.queue(), policy);
					Duration kept = reading.retention().get(policy.messageType());
					if (kept != null) {
						this.retention.put(policy.queue(), kept);
						policy.topology()
							.formerQueues()
							.forEach((former) -> this.retention.putIfAbsent(former.queue(), kept));
					}
					if (newest || stored.runs()) {
						this.topologies.add(policy.typeTopology());
					}
				}
				else if (!other.equals(application)) {
					taken.add("'%s' of %s".formatted(policy.queue(), other));
				}
			}
			if (newest) {
				this.services.put(application, new Service(application, stored.registration().handlerVersion(),
						stored.startedAt(), stored.seenAt(), problem(reading, taken)));
			}
		}

		private static @Nullable String problem(Reading reading, List<String> taken) {
			return taken.isEmpty() ? reading.problem()
					: "Its work queues are also those of services that started later: %s"
						.formatted(String.join(", ", taken));
		}

	}

}
