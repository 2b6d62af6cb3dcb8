/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * From a failure to its class and reason: what kind of failure it is, not yet what to do.
 */
@NullMarked
package io.github.rabbitretry.internal.classify;

import org.jspecify.annotations.NullMarked;
