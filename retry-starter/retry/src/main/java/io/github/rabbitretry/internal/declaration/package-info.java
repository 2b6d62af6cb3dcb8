/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The topology on the broker: declared, and compared with what is there.
 */
@NullMarked
package io.github.rabbitretry.internal.declaration;

import org.jspecify.annotations.NullMarked;
