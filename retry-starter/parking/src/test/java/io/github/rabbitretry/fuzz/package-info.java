/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Messages that no client library would send, and what becomes of them.
 */
@NullMarked
package io.github.rabbitretry.fuzz;

import org.jspecify.annotations.NullMarked;
