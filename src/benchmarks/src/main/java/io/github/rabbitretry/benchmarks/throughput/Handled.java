/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.benchmarks.throughput;

import java.util.concurrent.atomic.LongAdder;

/**
 * How often the handler was called in the current measurement. What a consumer has
 * fetched only is neither in its queue nor handled.
 */
final class Handled {

	private static final LongAdder CALLS = new LongAdder();

	private Handled() {
	}

	static void reset() {
		CALLS.reset();
	}

	static void add() {
		CALLS.increment();
	}

	static long count() {
		return CALLS.sum();
	}

}
