/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Every kind of listener in every kind of container, with every outcome of a message.
 */
@NullMarked
package io.github.rabbitretry.it.listeners;

import org.jspecify.annotations.NullMarked;
