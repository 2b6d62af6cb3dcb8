/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.policy;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * When it is reported to a message's owner that it keeps failing, while it is retried.
 * One of the two is set.
 *
 * @param attempt the broker attempt to report, 1 or more
 * @param age the time since the first failure
 */
public record EscalateAfter(@Nullable Integer attempt, @Nullable Duration age) {

	/**
	 * Whether it is time to notify the owner.
	 * @param attempt the broker attempt that is decided on
	 * @param age the time since the first failure
	 * @return {@code true} from that attempt, or from that age, on
	 */
	public boolean reached(int attempt, Duration age) {
		return (this.attempt != null && attempt >= this.attempt) || (this.age != null && age.compareTo(this.age) >= 0);
	}

}
