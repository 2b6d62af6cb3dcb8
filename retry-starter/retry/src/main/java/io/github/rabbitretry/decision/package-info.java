/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Decisions about deliveries.
 */
@NullMarked
package io.github.rabbitretry.decision;

import org.jspecify.annotations.NullMarked;
