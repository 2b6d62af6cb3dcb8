/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.poison;

/**
 * One value that deliveries are counted by.
 *
 * @param kind what it is
 * @param value which one
 */
record PoisonIndicator(PoisonSignal.Kind kind, String value) {
}
