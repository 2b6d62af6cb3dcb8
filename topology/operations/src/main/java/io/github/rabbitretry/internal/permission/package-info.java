/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What users of the broker have to be permitted, and the patterns that permit it.
 */
@NullMarked
package io.github.rabbitretry.internal.permission;

import org.jspecify.annotations.NullMarked;
