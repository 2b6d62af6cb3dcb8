/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The ledger: parked messages in a database, where they can be searched, counted and
 * found again.
 */
@NullMarked
package io.github.rabbitretry.internal.parking.ledger;

import org.jspecify.annotations.NullMarked;
