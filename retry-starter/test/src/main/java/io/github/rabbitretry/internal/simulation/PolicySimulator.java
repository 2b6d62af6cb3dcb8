/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.github.rabbitretry.internal.policy.MessagePolicy;
import io.github.rabbitretry.simulation.SimulatedLoad;
import io.github.rabbitretry.simulation.Simulation;
import org.jspecify.annotations.Nullable;

/**
 * Simulates what a policy does to many messages. Equal questions have equal answers.
 */
public final class PolicySimulator {

	private static final int LONGEST_DAYS = 30;

	private static final String LOWER = "Lower 'rate', to which all numbers are in proportion, or 'outage' or 'duration'.";

	private final long events;

	private final int messages;

	/** Creates a simulator for 150 million calls and 2 million waiting messages. */
	public PolicySimulator() {
		this(150_000_000, 2_000_000);
	}

	PolicySimulator(long events, int messages) {
		this.events = events;
		this.messages = messages;
	}

	/**
	 * Simulates.
	 * @param policy the message type's policy
	 * @param load what happens
	 * @return what becomes of the messages
	 * @throws IllegalArgumentException if there is more to simulate than the bounds
	 * allow, or the consumers can't keep up and it would never end
	 */
	public Simulation simulate(MessagePolicy policy, SimulatedLoad load) {
		checkFits(load);
		SimulationRun run = new SimulationRun(policy, load, this);
		Tally tally = run.run();
		return new Simulation(policy.messageType(), load, tally.messages, tally.succeeded, tally.parked,
				tally.discarded, tally.calls, tally.failed, tally.retries, tally.throttled, tally.postponed,
				tally.callsPeak, tally.waitingPeak, tally.readyPeak, nanos(tally.lastRetry), nanos(tally.lastParked),
				run.end(), tally.minutes, notSimulated(policy));
	}

	private void checkFits(SimulatedLoad load) {
		Duration arriving = (load.duration() != null) ? load.duration() : load.outageEnd();
		double arrivals = load.rate() * arriving.toMillis() / 1000;
		if (arrivals > this.events) {
			throw new IllegalArgumentException("%s messages are more than the %s that are simulated. %s"
				.formatted(number(Math.round(arrivals)), number(this.events), LOWER));
		}
		Integer consumers = load.concurrency();
		double needed = load.rate() * load.handlerTime().toMillis() / 1000;
		if (consumers != null && load.duration() == null && needed >= consumers) {
			throw new IllegalArgumentException(
					"'concurrency' is %s: %s messages a second of %s each need more than %s consumers, so that the backlog never ends. Raise it, lower 'rate' or 'handlerTime', or give 'duration'."
						.formatted(consumers, load.rate(), load.handlerTime(), (long) needed));
		}
	}

	/**
	 * Ends a run that has become too large.
	 * @param happened calls and returns until now
	 * @param present messages that are in a queue or handled now
	 * @param minutes how many minutes are over
	 */
	void check(long happened, long present, int minutes) {
		if (happened > this.events) {
			throw new IllegalArgumentException(
					"Calls and returns of messages are more than %s, which is the most that is simulated at once. %s"
						.formatted(number(this.events), LOWER));
		}
		if (present > this.messages) {
			throw new IllegalArgumentException(
					"More than %s messages wait at a time, which is the most that is simulated at once. %s"
						.formatted(number(this.messages), LOWER));
		}
		if (minutes > LONGEST_DAYS * 24 * 60) {
			throw new IllegalArgumentException(
					"It does not end within %s days. Lower 'outage' or 'duration', or raise 'concurrency'."
						.formatted(LONGEST_DAYS));
		}
	}

	private static String number(long value) {
		return String.format(Locale.ROOT, "%,d", value);
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
