/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Explanations of how failures are handled.
 */
@NullMarked
package io.github.rabbitretry.explain;

import org.jspecify.annotations.NullMarked;
