/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Support for testing services that use the starter.
 */
@NullMarked
package io.github.rabbitretry.test;

import org.jspecify.annotations.NullMarked;
