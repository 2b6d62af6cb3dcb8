/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Messages as received and as copied: properties, headers and histories.
 */
@NullMarked
package io.github.rabbitretry.internal.message;

import org.jspecify.annotations.NullMarked;
