/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * How a delay is waited for, and what handling a message has used.
 */
@NullMarked
package io.github.rabbitretry.topology;

import org.jspecify.annotations.NullMarked;
