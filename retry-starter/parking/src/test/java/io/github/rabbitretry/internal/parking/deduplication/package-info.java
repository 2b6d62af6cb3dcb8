/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

@NullUnmarked
package io.github.rabbitretry.internal.parking.deduplication;

import org.jspecify.annotations.NullUnmarked;
