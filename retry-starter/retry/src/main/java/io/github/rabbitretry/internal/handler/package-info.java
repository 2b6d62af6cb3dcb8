/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What handlers name: exceptions that ask for something, and the context of a delivery.
 */
@NullMarked
package io.github.rabbitretry.internal.handler;

import org.jspecify.annotations.NullMarked;
