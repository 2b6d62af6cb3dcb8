/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.existingqueue;

/**
 * Where a queue's dead-letter exchange comes from, in words.
 *
 * @param exchange the exchange, empty for the default exchange or if there is none
 * @param origin what sets it, as {@code argument x-dead-letter-exchange}
 */
record DeadLetterSource(String exchange, String origin) {

	static final DeadLetterSource NONE = new DeadLetterSource("", "nothing");

	boolean isNone() {
		return equals(NONE);
	}

}
