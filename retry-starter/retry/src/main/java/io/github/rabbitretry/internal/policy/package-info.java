/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What a message type is allowed: its budgets and its delays.
 */
@NullMarked
package io.github.rabbitretry.internal.policy;

import org.jspecify.annotations.NullMarked;
