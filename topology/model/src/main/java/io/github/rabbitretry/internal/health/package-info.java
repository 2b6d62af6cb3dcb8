/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What keeps messages from being handled, reported to operators.
 */
@NullMarked
package io.github.rabbitretry.internal.health;

import org.jspecify.annotations.NullMarked;
