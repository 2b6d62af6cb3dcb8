/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.scan;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Counts of an act over all parking lots.
 */
final class ScanTally {

	private final long maximum;

	private final List<ScanWindow> windows = new ArrayList<>();

	private final List<ScanResult.Refused> refused = new ArrayList<>();

	private long chosen;

	private long matching;

	private long done;

	private long uncertain;

	ScanTally(long maximum) {
		this.maximum = maximum;
	}

	long room() {
		return this.maximum - this.chosen;
	}

	void found(ScanWindow window, long found, long taken) {
		this.windows.add(window);
		this.matching += found;
		this.chosen += taken;
	}

	void refused(WindowMessage message, String why) {
		this.refused.add(new ScanResult.Refused(message.id(), message.parked().summary().messageId(), why));
	}

	void ended(long completed, long unknown) {
		this.done += completed;
		this.uncertain += unknown;
	}

	ScanResult result(@Nullable String replayId, boolean dryRun) {
		return new ScanResult(replayId, dryRun, this.matching, this.done, this.matching - this.done, this.uncertain,
				this.refused, this.windows);
	}

}
