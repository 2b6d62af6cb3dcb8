/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.parking.replay;

import java.util.Map;
import java.util.TreeMap;

/**
 * What became of messages of a group that the code of this instance converted, as before
 * it calls the handler.
 *
 * @param tried how many messages were converted, or were to be
 * @param converted how many can be
 * @param reasons why the others can't, as the current rules classify it, and how many
 * they are
 */
public record DryRunSamples(int tried, int converted, Map<String, Integer> reasons) {

	/** The most messages of a dry run. */
	public static final int MOST = 20;

	public DryRunSamples {
		reasons = new TreeMap<>(reasons);
	}

}
