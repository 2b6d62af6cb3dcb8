/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Replaying, discarding and editing parked messages, with every act recorded.
 */
@NullMarked
package io.github.rabbitretry.internal.parking.replay;

import org.jspecify.annotations.NullMarked;
