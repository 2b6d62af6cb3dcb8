/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What the worker publishes about orders.
 */
@NullMarked
package io.github.rabbitretry.sample.event;

import org.jspecify.annotations.NullMarked;
