/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Log output that never floods the log.
 */
@NullMarked
package io.github.rabbitretry.internal.logging;

import org.jspecify.annotations.NullMarked;
