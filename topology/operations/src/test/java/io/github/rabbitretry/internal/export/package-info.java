/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Tests of exports.
 */
@NullMarked
package io.github.rabbitretry.internal.export;

import org.jspecify.annotations.NullMarked;
