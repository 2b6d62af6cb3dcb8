/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Metrics of replays and of parked messages.
 */
@NullMarked
package io.github.rabbitretry.internal.parking.metrics;

import org.jspecify.annotations.NullMarked;
