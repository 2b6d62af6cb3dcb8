/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.policy;

import java.time.Duration;
import java.util.Set;

/**
 * When a service that the handler calls counts as down, and how to find out that it is up
 * again.
 *
 * @param dependency the service; message types that name the same share its outages
 * @param reasons of failures that show that it is down
 * @param failureRate the part of the last calls that have to fail
 * @param calls how many calls are looked back at
 * @param probeInterval the time until the first probes
 * @param maxProbeInterval the longest time until the next probes
 * @param resumeCalls after how many probes the failure rate is looked at
 * @param excludeFromAge whether a message does not get older while an outage lasts
 */
public record OutageSettings(String dependency, Set<String> reasons, double failureRate, int calls,
		Duration probeInterval, Duration maxProbeInterval, int resumeCalls, boolean excludeFromAge) {

	public OutageSettings {
		reasons = Set.copyOf(reasons);
	}

	/**
	 * These settings as far as they are about the service, not about one message type.
	 * @return settings that are equal for all message types of a service
	 */
	public OutageSettings shared() {
		return new OutageSettings(this.dependency, Set.of(), this.failureRate, this.calls, this.probeInterval,
				this.maxProbeInterval, this.resumeCalls, false);
	}

}
