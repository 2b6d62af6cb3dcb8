/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Deliveries as counted by Micrometer.
 */
@NullMarked
package io.github.rabbitretry.internal.metrics;

import org.jspecify.annotations.NullMarked;
