/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Actuator endpoints of parked messages and replays.
 */
@NullMarked
package io.github.rabbitretry.internal.parking.actuate;

import org.jspecify.annotations.NullMarked;
