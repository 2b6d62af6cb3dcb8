/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What to say about work queues that others declare and whose dead letters do not reach
 * the policy's dead-letter queue.
 */
@NullMarked
package io.github.rabbitretry.internal.existingqueue;

import org.jspecify.annotations.NullMarked;
