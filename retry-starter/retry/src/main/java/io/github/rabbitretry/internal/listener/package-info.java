/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Managed containers, and the advice around their listeners.
 */
@NullMarked
package io.github.rabbitretry.internal.listener;

import org.jspecify.annotations.NullMarked;
