/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The application over the actuator: its topology, its parked messages, its replays.
 */
@NullMarked
package io.github.rabbitretry.internal.actuate;

import org.jspecify.annotations.NullMarked;
