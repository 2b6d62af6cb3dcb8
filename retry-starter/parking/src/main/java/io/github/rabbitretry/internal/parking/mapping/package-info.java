/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * From messages to what the ledger stores of them.
 */
@NullMarked
package io.github.rabbitretry.internal.parking.mapping;

import org.jspecify.annotations.NullMarked;
