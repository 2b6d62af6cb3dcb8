/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Tests of the console.
 */
@NullMarked
package io.github.rabbitretry.internal.console;

import org.jspecify.annotations.NullMarked;
