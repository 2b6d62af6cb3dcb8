/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Managed containers: their queues, pauses and stops.
 */
@NullMarked
package io.github.rabbitretry.internal.container;

import org.jspecify.annotations.NullMarked;
