/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Plans the way from the topology on the broker to the configured one.
 */
@NullMarked
package io.github.rabbitretry.internal.plan;

import org.jspecify.annotations.NullMarked;
