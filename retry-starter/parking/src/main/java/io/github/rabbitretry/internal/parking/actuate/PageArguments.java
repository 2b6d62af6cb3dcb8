/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.actuate;

import io.github.rabbitretry.internal.actuate.EndpointException;
import org.jspecify.annotations.Nullable;

/**
 * How much is listed.
 *
 * @param size how many at most
 */
record PageArguments(@Nullable Long size) {

	private static final int DEFAULT = 50;

	private static final int LARGEST = 1000;

	int limit() {
		if (this.size != null && (this.size < 1 || this.size > LARGEST)) {
			throw EndpointException.invalid("'size' is %s. It must be from 1 to %s.".formatted(this.size, LARGEST));
		}
		return (this.size != null) ? this.size.intValue() : DEFAULT;
	}

}
