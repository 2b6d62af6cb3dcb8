/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Calls of handlers: once or again, with a timeout, alone or as a batch.
 */
@NullMarked
package io.github.rabbitretry.internal.invocation;

import org.jspecify.annotations.NullMarked;
