/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.simulation.SimulatedLoad;
import io.github.rabbitretry.simulation.Simulation;
import org.jspecify.annotations.Nullable;

/**
 * Simulates what a policy does to many messages. Equal questions have equal answers.
 */
public final class PolicySimulator {

	private final SimulationBounds bounds;

	/**
	 * Creates the simulator.
	 * @param bounds how much a simulation may cost
	 */
	public PolicySimulator(SimulationBounds bounds) {
		this.bounds = bounds;
	}

	/**
	 * Simulates.
	 * @param policy the message type's policy
	 * @param load what happens
	 * @return what becomes of the messages
	 * @throws SimulationTooLargeException if there is more to simulate than the bounds
	 * allow
	 * @throws IllegalArgumentException if the consumers can't keep up and it would never
	 * end
	 */
	public Simulation simulate(MessagePolicy policy, SimulatedLoad load) {
		checkFits(policy, load);
		SimulationRun run = new SimulationRun(policy, load, this.bounds);
		Tally tally = run.run();
		tally.closeMinute();
		return new Simulation(policy.messageType(), load, tally.messages, tally.succeeded, tally.parked,
				tally.discarded, tally.calls, tally.failed, tally.retries, tally.throttled, tally.postponed,
				tally.callsPeak, tally.waitingPeak, tally.readyPeak, nanos(tally.lastRetry), nanos(tally.lastParked),
				run.end(), tally.minutes, notSimulated(policy));
	}

	private void checkFits(MessagePolicy policy, SimulatedLoad load) {
		double arrivals = load.rate() * ((load.duration() != null) ? load.duration() : load.outageEnd()).toMillis()
				/ 1000;
		if (arrivals > this.bounds.events()) {
			throw new SimulationTooLargeException(
					"%,.0f messages are more than the %,d that are simulated. Lower 'rate', to which all numbers are in proportion, or 'outage' or 'duration'."
						.formatted(arrivals, this.bounds.events()));
		}
		Integer consumers = load.concurrency();
		double needed = load.rate() * load.handlerTime().toMillis() / 1000;
		if (consumers != null && load.duration() == null && needed >= consumers) {
			throw new IllegalArgumentException(
					"'concurrency' is %d: %s messages a second of %s each need more than %.0f consumers, so that the backlog never ends. Raise it, lower 'rate' or 'handlerTime', or give 'duration'."
						.formatted(consumers, load.rate(), load.handlerTime(), Math.floor(needed)));
		}
	}

	private static @Nullable Duration nanos(long nanos) {
		return (nanos >= 0) ? Duration.ofNanos(nanos) : null;
	}

	private static List<String> notSimulated(MessagePolicy policy) {
		List<String> missing = new ArrayList<>();
		if (policy.ordering() != null) {
			missing.add("ordering: messages are not held back by others that keep their order");
		}
		if (policy.budget().maxDownstreamCalls() != null) {
			missing.add("max-downstream-calls: handlers report nothing here");
		}
		if (policy.budget().maxCost() != null) {
			missing.add("max-cost: handlers report nothing here");
		}
		if (policy.ratio() != null) {
			missing.add("retry-ratio: kept for one process; with several, each has its own part of the messages");
		}
		if (policy.outage() != null) {
			missing.add("outage: seen by one process, from this message type's calls alone");
		}
		return missing;
	}

}
