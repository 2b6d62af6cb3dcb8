/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Deliveries and the channels that they came through: acknowledged, given back or
 * rejected, each once.
 */
@NullMarked
package io.github.rabbitretry.internal.acknowledgement;

import org.jspecify.annotations.NullMarked;
