/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What is lost when the ledger's database has a fault: nothing.
 */
@NullUnmarked
package io.github.rabbitretry.internal.parking.chaos;

import org.jspecify.annotations.NullUnmarked;
