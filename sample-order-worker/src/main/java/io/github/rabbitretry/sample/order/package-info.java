/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Orders: created once, however often they are delivered.
 */
@NullMarked
package io.github.rabbitretry.sample.order;

import org.jspecify.annotations.NullMarked;
