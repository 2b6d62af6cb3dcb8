/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.handover;

/**
 * One publishing of a copy.
 *
 * @param handover whose copy
 * @param number which publishing of it
 * @param at when, as {@link System#nanoTime()} tells it
 */
record Publication(Handover handover, int number, long at) {

	Publication(Handover handover, int number) {
		this(handover, number, System.nanoTime());
	}

	boolean isBefore(long nanoTime) {
		return this.at - nanoTime < 0;
	}

}
