/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * How decisions are carried out.
 */
@NullMarked
package io.github.rabbitretry.internal.settlement;

import org.jspecify.annotations.NullMarked;
