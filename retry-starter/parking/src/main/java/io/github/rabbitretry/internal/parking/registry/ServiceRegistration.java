/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.registry;

import java.time.Duration;
import java.util.List;

import io.github.rabbitretry.internal.message.ConsumerIdentity;
import io.github.rabbitretry.internal.parking.ledger.LedgerMaintenance;

/**
 * Registers this application with its policies, so that a console of its own knows its
 * queues.
 */
public final class ServiceRegistration {

	/** Until the database is there, and between checks whether it is time again. */
	private static final Duration BETWEEN_TRIES = Duration.ofSeconds(10);

	/** Often enough that an instance of another version is not forgotten for long. */
	private static final Duration BETWEEN_REGISTRATIONS = Duration.ofHours(1);

	private final ServiceRegistry registry;

	private final ConsumerIdentity identity;

	private final String policies;

	private final Duration between;

	private boolean registered;

	private long registeredAt;

	/**
	 * Creates the registration.
	 * @param registry where it is written
	 * @param identity who the application is
	 * @param policies its policies, as text
	 */
	public ServiceRegistration(ServiceRegistry registry, ConsumerIdentity identity, String policies) {
		this(registry, identity, policies, BETWEEN_REGISTRATIONS);
	}

	ServiceRegistration(ServiceRegistry registry, ConsumerIdentity identity, String policies, Duration between) {
		this.registry = registry;
		this.identity = identity;
		this.policies = policies;
		this.between = between;
	}

	/**
	 * The work that keeps it registered.
	 * @return what there is to do
	 */
	public List<LedgerMaintenance.Task> tasks() {
		return List.of(new LedgerMaintenance.Task(BETWEEN_TRIES, this::register,
				"This service is not registered with its current policies in the ledger"));
	}

	/** Called by one thread. What fails is tried again at the next call. */
	void register() {
		if (!this.registered || System.nanoTime() - this.registeredAt >= this.between.toNanos()) {
			this.registry.register(this.identity.consumer(), this.identity.handlerVersion(), this.policies);
			this.registered = true;
			this.registeredAt = System.nanoTime();
		}
	}

}
