/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What one delivery allocates, without a broker.
 */
@NullMarked
package io.github.rabbitretry.benchmarks.allocation;

import org.jspecify.annotations.NullMarked;
