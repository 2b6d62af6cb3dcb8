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

	/**
	 * Throws if a run has become too large.
	 * @param happened calls and returns until now
	 * @param present messages that are in a queue or handled now
	 * @param minutes how many minutes are over
	 * @throws SimulationTooLargeException if it has; it says what to lower
	 */
	void check(long happened, long present, int minutes) {
		if (happened > this.events) {
			throw new SimulationTooLargeException(
					"Calls and returns of messages are more than %,d, which is the most that is simulated %s. Lower 'rate', to which all numbers are in proportion, or 'outage' or 'duration'."
						.formatted(this.events, where()));
		}
		if (present > this.messages) {
			throw new SimulationTooLargeException(
					"More than %,d messages wait at a time, which is the most that is simulated %s. Lower 'rate', to which all numbers are in proportion, or 'outage' or 'duration'."
						.formatted(this.messages, where()));
		}
		if (minutes > MINUTES) {
			throw new SimulationTooLargeException(
					"It does not end within %d days. Lower 'outage' or 'duration', or raise 'concurrency'."
						.formatted(MINUTES / (24 * 60)));
		}
	}

	private String where() {
		return equals(SERVICE) ? "within a service (the command line with --config allows more)" : "at once";
	}

}
