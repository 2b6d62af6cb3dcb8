/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Actuator endpoints that need no ledger: explanations and waiting retries.
 */
@NullMarked
package io.github.rabbitretry.internal.actuate;

import org.jspecify.annotations.NullMarked;
