/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The threads that are started here.
 */
@NullMarked
package io.github.rabbitretry.internal.thread;

import org.jspecify.annotations.NullMarked;
