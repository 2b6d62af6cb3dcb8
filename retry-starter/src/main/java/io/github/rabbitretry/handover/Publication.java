/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.handover;

/**
 * One publishing of a copy.
 *
 * @param handover whose copy
 * @param number which publishing of it
 */
record Publication(Handover handover, int number) {
}
