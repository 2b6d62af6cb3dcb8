/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * A delivery and the headers that its copies carry.
 */
@NullMarked
package io.github.rabbitretry.internal.delivery;

import org.jspecify.annotations.NullMarked;
