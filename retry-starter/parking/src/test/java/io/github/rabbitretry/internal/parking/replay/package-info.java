/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Tests of replays.
 */
@NullUnmarked
package io.github.rabbitretry.internal.parking.replay;

import org.jspecify.annotations.NullUnmarked;
