/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Messages in the parking lot, as the ledger knows them.
 */
@NullMarked
package io.github.rabbitretry.parking.message;

import org.jspecify.annotations.NullMarked;
