/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What failed messages cost a broker.
 */
@NullMarked
package io.github.rabbitretry.benchmarks.capacity;

import org.jspecify.annotations.NullMarked;
