/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.replay;

import java.util.ArrayList;
import java.util.List;

/**
 * What became of a batch.
 *
 * @param published confirmed
 * @param returned found no queue
 * @param failed can't be published as they are
 * @param unknown neither confirmed nor refused for good, to be published again
 */
record Settled(List<Claimed> published, List<Claimed> returned, List<Claimed> failed, List<Claimed> unknown) {

	static Settled nothing() {
		return new Settled(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
	}

}
