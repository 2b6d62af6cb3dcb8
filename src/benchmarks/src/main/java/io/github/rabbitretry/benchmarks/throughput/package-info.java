/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Sides of a comparison, measured in turns in one run on one broker.
 */
@NullMarked
package io.github.rabbitretry.benchmarks.throughput;

import org.jspecify.annotations.NullMarked;
