/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * How exact delays are.
 */
@NullMarked
package io.github.rabbitretry.benchmarks.delay;

import org.jspecify.annotations.NullMarked;
