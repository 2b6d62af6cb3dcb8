/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Publishes the batches of a replay.
 */
@NullMarked
package io.github.rabbitretry.internal.parking.publication;

import org.jspecify.annotations.NullMarked;
