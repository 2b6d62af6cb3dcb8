/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.poison;

import io.github.rabbitretry.event.PoisonSignal;

/**
 * One value that deliveries are counted by.
 *
 * @param kind what it is
 * @param value which one
 */
record PoisonIndicator(PoisonSignal.Kind kind, String value) {
}
