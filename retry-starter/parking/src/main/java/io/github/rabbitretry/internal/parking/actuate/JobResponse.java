/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.actuate;

import io.github.rabbitretry.parking.replay.ReplayJob;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * A replay as it stands.
 *
 * @param replay the replay
 * @param active whether messages are, or may again be, published
 * @param percent the share of its messages that are dealt with, from 0 to 100
 */
record JobResponse(ReplayJob replay, boolean active, double percent) implements OperationResponseBody {

	static JobResponse of(ReplayJob job) {
		ReplayJob.Counts counts = job.counts();
		double percent = (counts.selected() == 0) ? 100 : 100.0
				* (counts.selected() - counts.waiting() - counts.inFlight() - counts.skipped()) / counts.selected();
		return new JobResponse(job, job.state().active(), Math.round(percent * 10) / 10.0);
	}

}
