/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Tests of what the documentation shows and says.
 */
@NullMarked
package io.github.rabbitretry.docs;

import org.jspecify.annotations.NullMarked;
