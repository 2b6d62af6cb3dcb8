/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What happened to deliveries, for all listeners.
 */
@NullMarked
package io.github.rabbitretry.internal.event;

import org.jspecify.annotations.NullMarked;
