/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.decision;

import java.time.Instant;

import io.github.rabbitretry.classify.FailureClass;
import io.github.rabbitretry.topology.DelayLevel;
import org.jspecify.annotations.Nullable;

/**
 * What happens to a delivery that was not handled. Together with acknowledging a success
 * and returning what is not the message's fault, the set is closed.
 */
public sealed interface Decision {

	/**
	 * The message comes back after a delay.
	 *
	 * @param attempt the broker attempt that it comes back as
	 * @param level where it waits
	 * @param notBefore the instant before which the handler is not called, or
	 * {@code null} if the level's delay is all there is to wait
	 * @param reason why
	 * @param failureClass the kind of failure
	 */
	record Retry(int attempt, DelayLevel level, @Nullable Instant notBefore, String reason,
			FailureClass failureClass) implements Decision {
	}

	/**
	 * The message waits for people.
	 *
	 * @param reason why it is parked
	 * @param failureClass the kind of the last failure
	 * @param failureReason the reason of the last failure; equal to {@code reason} unless
	 * a budget ended the retries
	 */
	record Park(String reason, FailureClass failureClass, String failureReason) implements Decision {
	}

	/**
	 * The message is acknowledged without success.
	 *
	 * @param reason why
	 * @param failureClass the kind of failure
	 */
	record Discard(String reason, FailureClass failureClass) implements Decision {
	}

}
