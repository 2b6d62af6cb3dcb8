/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The stages of a delivery, from its container's thread to its settlement.
 */
@NullMarked
package io.github.rabbitretry.internal.delivery;

import org.jspecify.annotations.NullMarked;
