/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.parking.replay;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Messages by the time since they were parked.
 *
 * @param upTo parked less than this ago, and not in a bucket before, or {@code null} for
 * any time
 * @param count how many
 */
public record AgeBucket(@Nullable Duration upTo, long count) {
}
