/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Goes directly to broker and ledger, with the endpoints in this process.
 */
@NullMarked
package io.github.rabbitretry.cli.direct;

import org.jspecify.annotations.NullMarked;
