/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Messages that are handled one after the other.
 */
@NullMarked
package io.github.rabbitretry.internal.ordering;

import org.jspecify.annotations.NullMarked;
