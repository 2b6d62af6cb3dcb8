/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The console: a page below the management path, the headers and checks that it needs.
 */
@NullMarked
package io.github.rabbitretry.internal.console;

import org.jspecify.annotations.NullMarked;
