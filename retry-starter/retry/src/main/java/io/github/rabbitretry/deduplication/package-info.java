/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Deduplication: handling each message once, however often it is delivered.
 */
@NullMarked
package io.github.rabbitretry.deduplication;

import org.jspecify.annotations.NullMarked;
