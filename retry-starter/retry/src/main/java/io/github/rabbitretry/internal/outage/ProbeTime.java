/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.outage;

import java.time.Duration;
import java.time.Instant;

/**
 * How long a probe may take. Guarded by the circuit.
 */
final class ProbeTime {

	private Duration most;

	ProbeTime(Duration most) {
		this.most = most;
	}

	Duration get() {
		return this.most;
	}

	boolean exceededBy(CircuitCall probe, Instant now) {
		return probe.age(now).compareTo(this.most) >= 0;
	}

	/** It was given up and succeeded: the next ones may take longer. */
	void learnFrom(CircuitCall late, Instant now) {
		Duration enough = late.age(now).multipliedBy(2);
		if (enough.compareTo(this.most) > 0) {
			this.most = enough;
		}
	}

}
