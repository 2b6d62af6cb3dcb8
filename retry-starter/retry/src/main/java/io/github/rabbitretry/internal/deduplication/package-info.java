/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Where it is remembered which messages were handled.
 */
@NullMarked
package io.github.rabbitretry.internal.deduplication;

import org.jspecify.annotations.NullMarked;
