/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The ledger and replays, on a PostgreSQL.
 */
@NullMarked
package io.github.rabbitretry.benchmarks.ledger;

import org.jspecify.annotations.NullMarked;
