/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * From properties to beans. Nothing else depends on this package.
 */
@NullMarked
package io.github.rabbitretry.internal.autoconfigure;

import org.jspecify.annotations.NullMarked;
