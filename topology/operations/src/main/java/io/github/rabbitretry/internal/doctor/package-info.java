/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Compares what the broker has with what message policies expect, and says what to do.
 */
@NullMarked
package io.github.rabbitretry.internal.doctor;

import org.jspecify.annotations.NullMarked;
