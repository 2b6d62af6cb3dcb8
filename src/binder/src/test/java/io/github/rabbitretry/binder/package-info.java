/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Tests beside Spring Cloud Stream.
 */
@NullMarked
package io.github.rabbitretry.binder;

import org.jspecify.annotations.NullMarked;
