/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The benchmarks by their commands' names.
 */
@NullMarked
package io.github.rabbitretry.benchmarks;

import org.jspecify.annotations.NullMarked;
