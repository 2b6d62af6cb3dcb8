/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.parking.replay;

/**
 * How many messages of a replay stand where.
 *
 * @param selected all of them
 * @param waiting not yet published; if the replay has ended, never
 * @param inFlight being published
 * @param undecided published, outcome not known yet; for a target, for ever
 * @param uncertain perhaps published
 * @param succeeded handled by the listener
 * @param parkedAgain in the parking lot again
 * @param discarded discarded by the listener's policy
 * @param skipped no longer parked when their turn came
 * @param failed not to be published as they were
 * @param restored once uncertain, and parked again since somebody wanted it
 */
public record ReplayCounts(long selected, long waiting, long inFlight, long undecided, long uncertain, long succeeded,
		long parkedAgain, long discarded, long skipped, long failed, long restored) {

	/**
	 * How many have an outcome.
	 * @return the number
	 */
	public long decided() {
		return this.succeeded + this.parkedAgain + this.discarded;
	}

	/**
	 * Whether too many came to the parking lot again.
	 * @param percent the bound, from 0 to 100
	 * @param minimum the least number of outcomes
	 * @return {@code true} if the share is above the bound
	 */
	public boolean parkedAgainAbove(double percent, int minimum) {
		return decided() >= minimum && this.parkedAgain * 100.0 > percent * decided();
	}

}
