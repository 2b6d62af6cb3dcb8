/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Parked messages in the ledger.
 */
@NullMarked
package io.github.rabbitretry.parking.message;

import org.jspecify.annotations.NullMarked;
