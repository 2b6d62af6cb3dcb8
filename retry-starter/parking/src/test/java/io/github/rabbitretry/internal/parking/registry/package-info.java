/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Tests of the services that share a ledger.
 */
@NullUnmarked
package io.github.rabbitretry.internal.parking.registry;

import org.jspecify.annotations.NullUnmarked;
