/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * How a broker is reached, and what it has that differs from the topology.
 */
@NullMarked
package io.github.rabbitretry.internal.broker;

import org.jspecify.annotations.NullMarked;
