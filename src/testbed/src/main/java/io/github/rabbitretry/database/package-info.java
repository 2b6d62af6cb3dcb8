/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * A real PostgreSQL for the demo, the tests and the benchmarks.
 */
@NullMarked
package io.github.rabbitretry.database;

import org.jspecify.annotations.NullMarked;
