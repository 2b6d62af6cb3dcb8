/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What works without message policies works with them.
 */
@NullMarked
package io.github.rabbitretry.samples;

import org.jspecify.annotations.NullMarked;
