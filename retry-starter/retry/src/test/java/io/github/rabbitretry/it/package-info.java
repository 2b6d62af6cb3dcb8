/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The starter against a real broker.
 */
@NullMarked
package io.github.rabbitretry.it;

import org.jspecify.annotations.NullMarked;
