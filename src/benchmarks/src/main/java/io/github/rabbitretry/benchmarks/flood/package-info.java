/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Healthy messages among many that fail.
 */
@NullMarked
package io.github.rabbitretry.benchmarks.flood;

import org.jspecify.annotations.NullMarked;
