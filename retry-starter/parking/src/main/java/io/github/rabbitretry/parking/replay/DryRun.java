/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.parking.replay;

import java.util.List;

/**
 * What a replay would do, as far as it can be known: handlers are not called.
 *
 * @param matching parked messages that match, but for those that another replay has
 * selected
 * @param replayable those of them that can be replayed: their body is stored whole, and
 * this application has a policy for their queue
 * @param wouldReplay how many would be replayed, the maximum being set
 * @param payloadMissing those whose body is masked or left out
 * @param queueUnknown those whose queue has no policy in this application
 * @param groups the replayable ones by fingerprint, the largest {@value #MOST_GROUPS}
 * groups first
 * @param ages the replayable ones by the time since they were parked
 * @param cautions what to know before, in sentences
 * @param preview the replayable ones: samples, owners, the token, and what other replays
 * have selected
 */
public record DryRun(long matching, long replayable, long wouldReplay, long payloadMissing, long queueUnknown,
		List<DryRunGroup> groups, List<AgeBucket> ages, List<String> cautions, Preview preview) {

	/** The most groups. */
	public static final int MOST_GROUPS = 100;

	public DryRun {
		groups = List.copyOf(groups);
		ages = List.copyOf(ages);
		cautions = List.copyOf(cautions);
	}

}
