/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Signs that messages, rather than what handles them, are what fails.
 */
@NullMarked
package io.github.rabbitretry.internal.poison;

import org.jspecify.annotations.NullMarked;
