/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * How many messages wait in retry queues and parking lots, as the broker says.
 */
@NullMarked
package io.github.rabbitretry.internal.depth;

import org.jspecify.annotations.NullMarked;
