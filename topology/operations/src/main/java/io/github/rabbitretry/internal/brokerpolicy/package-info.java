/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Finds policies of the broker that override what our queues declare and would lose
 * messages, reports them, and says how to protect the queues.
 */
@NullMarked
package io.github.rabbitretry.internal.brokerpolicy;

import org.jspecify.annotations.NullMarked;
