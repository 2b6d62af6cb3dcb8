/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Payments, captured through a gateway that is down at times.
 */
@NullMarked
package io.github.rabbitretry.sample.payment;

import org.jspecify.annotations.NullMarked;
