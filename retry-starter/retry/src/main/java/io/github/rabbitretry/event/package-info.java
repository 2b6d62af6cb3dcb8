/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Events of deliveries, for an application's own listeners.
 */
@NullMarked
package io.github.rabbitretry.event;

import org.jspecify.annotations.NullMarked;
