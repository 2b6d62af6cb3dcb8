/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The way straight to broker and ledger, with the endpoints in this process.
 */
@NullMarked
package io.github.rabbitretry.cli.straight;

import org.jspecify.annotations.NullMarked;
