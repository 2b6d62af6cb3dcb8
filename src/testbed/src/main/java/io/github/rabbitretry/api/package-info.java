/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Writes down what of a module users can name.
 */
@NullMarked
package io.github.rabbitretry.api;

import org.jspecify.annotations.NullMarked;
