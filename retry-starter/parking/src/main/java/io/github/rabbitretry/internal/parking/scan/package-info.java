/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Parking lots without a ledger: a bounded window of each queue is looked at, and given
 * back.
 */
@NullMarked
package io.github.rabbitretry.internal.parking.scan;

import org.jspecify.annotations.NullMarked;
