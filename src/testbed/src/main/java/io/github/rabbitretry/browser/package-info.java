/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * A real browser for tests.
 */
@NullMarked
package io.github.rabbitretry.browser;

import org.jspecify.annotations.NullMarked;
