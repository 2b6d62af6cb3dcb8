/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.outage;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;

import io.github.rabbitretry.event.DeliveryListener.Outage;
import io.github.rabbitretry.internal.policy.OutageSettings;
import org.jspecify.annotations.Nullable;

/**
 * A service that handlers call, for a caller that moves the clock by itself and has no
 * listeners to pause.
 */
public final class SimulatedDependency implements Consumer<@Nullable Outage> {

	private static final Duration PROBE_TIME = Duration.ofDays(1);

	private final DependencyCircuit circuit;

	private final InstantSource clock;

	private @Nullable Instant probeAt;

	/**
	 * Creates a service that is up.
	 * @param settings those of the message type
	 * @param messageType its name
	 * @param clock what time it is
	 */
	public SimulatedDependency(OutageSettings settings, String messageType, InstantSource clock) {
		this.circuit = new DependencyCircuit(settings.shared(), List.of(messageType), PROBE_TIME, clock, this);
		this.clock = clock;
	}

	/**
	 * Whether the service is down.
	 * @return the circuit
	 */
	public DependencyCircuit circuit() {
		return this.circuit;
	}

	/**
	 * Whether its messages are consumed one after the other, or not at all.
	 * @return {@code false} if as many as there are consumers
	 */
	public boolean paused() {
		return !this.circuit.closed();
	}

	/**
	 * When the next message may be consumed.
	 * @return the instant, or {@code null} if one may be now
	 */
	public @Nullable Instant probeAt() {
		return this.probeAt;
	}

	/** To be called at that instant. */
	public void probe() {
		this.probeAt = null;
		this.circuit.halfOpen();
	}

	@Override
	public void accept(@Nullable Outage outage) {
		this.probeAt = this.circuit.open() ? this.clock.instant().plus(this.circuit.untilProbe()) : null;
	}

}
