/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What a handler may ask for: its context, and the exceptions that decide.
 */
@NullMarked
package io.github.rabbitretry.handler;

import org.jspecify.annotations.NullMarked;
