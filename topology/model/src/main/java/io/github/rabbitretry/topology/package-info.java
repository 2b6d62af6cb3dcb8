/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Routes for delays, and usage of messages.
 */
@NullMarked
package io.github.rabbitretry.topology;

import org.jspecify.annotations.NullMarked;
