/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What a virtual host has, what message policies expect of it, whose it is, and the
 * commands that change it.
 */
@NullMarked
package io.github.rabbitretry.internal.snapshot;

import org.jspecify.annotations.NullMarked;
