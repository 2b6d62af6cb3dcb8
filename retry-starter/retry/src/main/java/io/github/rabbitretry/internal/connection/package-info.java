/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Connections to the broker, and what becomes of them when they fail.
 */
@NullMarked
package io.github.rabbitretry.internal.connection;

import org.jspecify.annotations.NullMarked;
