/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.registry;

import java.time.Duration;
import java.util.List;

import io.github.rabbitretry.internal.parking.ledger.LedgerMaintenance;

/**
 * Registers this application with its policies, so that the operations application knows
 * its queues.
 */
public final class ServiceRegistration {

	/** Until the database is there, and between checks whether it is time again. */
	private static final Duration BETWEEN_TRIES = Duration.ofSeconds(10);

	private static final Duration BETWEEN_SIGNS = Duration.ofMinutes(10);

	private final ServiceRegistry registry;

	private final ServiceRegistry.Registration registration;

	private boolean registered;

	private long seenAt;

	/**
	 * Creates the registration.
	 * @param registry where it is written
	 * @param registration what is written
	 */
	public ServiceRegistration(ServiceRegistry registry, ServiceRegistry.Registration registration) {
		this.registry = registry;
		this.registration = registration;
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
	private void register() {
		if (!this.registered) {
			this.registry.started(this.registration);
			this.registered = true;
			this.seenAt = System.nanoTime();
		}
		else if (System.nanoTime() - this.seenAt >= BETWEEN_SIGNS.toNanos()) {
			this.registry.seen(this.registration);
			this.seenAt = System.nanoTime();
		}
	}

}
