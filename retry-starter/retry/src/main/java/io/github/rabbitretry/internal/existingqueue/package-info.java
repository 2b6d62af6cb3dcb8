/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Checks whether dead letters of work queues that others declare reach the policy's
 * dead-letter queue.
 */
@NullMarked
package io.github.rabbitretry.internal.existingqueue;

import org.jspecify.annotations.NullMarked;
