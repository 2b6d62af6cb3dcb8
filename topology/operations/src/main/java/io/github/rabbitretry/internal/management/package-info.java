/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Asks the management API of the broker, and writes what its tools understand: commands
 * and patterns.
 */
@NullMarked
package io.github.rabbitretry.internal.management;

import org.jspecify.annotations.NullMarked;
