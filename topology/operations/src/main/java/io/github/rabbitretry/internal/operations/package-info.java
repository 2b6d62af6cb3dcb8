/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The endpoints that examine the broker and export what it needs.
 */
@NullMarked
package io.github.rabbitretry.internal.operations;

import org.jspecify.annotations.NullMarked;
