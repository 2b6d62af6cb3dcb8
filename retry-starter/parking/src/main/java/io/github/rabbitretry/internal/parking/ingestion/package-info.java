/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * From the parking lots into the ledger.
 */
@NullMarked
package io.github.rabbitretry.internal.parking.ingestion;

import org.jspecify.annotations.NullMarked;
