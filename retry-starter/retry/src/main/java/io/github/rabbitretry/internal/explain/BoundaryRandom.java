/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.explain;

import java.util.random.RandomGenerator;

/**
 * Draws the first or the last of whatever there is to draw from: the edges of the window
 * that jitter has.
 */
final class BoundaryRandom implements RandomGenerator {

	private final boolean last;

	BoundaryRandom(boolean last) {
		this.last = last;
	}

	@Override
	public int nextInt(int bound) {
		return this.last ? bound - 1 : 0;
	}

	@Override
	public long nextLong() {
		throw new UnsupportedOperationException("a delay is drawn from a list of levels");
	}

}
