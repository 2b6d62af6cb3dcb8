/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Auto-configuration of the ledger, of replays and of their endpoints.
 */
@NullMarked
package io.github.rabbitretry.internal.parking.autoconfigure;

import org.jspecify.annotations.NullMarked;
