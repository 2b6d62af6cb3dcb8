/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * API for handlers: the context of a delivery, and exceptions that request an outcome.
 */
@NullMarked
package io.github.rabbitretry.handler;

import org.jspecify.annotations.NullMarked;
