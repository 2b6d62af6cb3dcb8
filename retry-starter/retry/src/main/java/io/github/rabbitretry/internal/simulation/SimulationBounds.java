/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.simulation;

/**
 * How much a simulation may cost. A million events take about a second at worst; a
 * message takes about a hundred bytes.
 *
 * @param events the most that may happen: calls and returns of messages
 * @param messages the most that may be on their way at a time
 */
public record SimulationBounds(long events, int messages) {

	/** For a process that does nothing else. */
	public static final SimulationBounds OWN_PROCESS = new SimulationBounds(150_000_000, 2_000_000);

	/** For a service that has other work. */
	public static final SimulationBounds SERVICE = new SimulationBounds(5_000_000, 300_000);

	/** Arrivals and all that follows from them. */
	static final long MINUTES = 30L * 24 * 60;

}
