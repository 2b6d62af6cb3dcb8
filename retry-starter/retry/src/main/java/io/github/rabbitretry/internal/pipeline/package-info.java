/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The way of a delivery from its listener container to its settlement: handled, decided
 * about, and the decision carried out.
 */
@NullMarked
package io.github.rabbitretry.internal.pipeline;

import org.jspecify.annotations.NullMarked;
