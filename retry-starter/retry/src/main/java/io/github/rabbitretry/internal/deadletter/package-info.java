/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What a parked message carries, and how broker-made deaths get there.
 */
@NullMarked
package io.github.rabbitretry.internal.deadletter;

import org.jspecify.annotations.NullMarked;
