/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.it.listeners;

/**
 * A message's payload.
 *
 * @param id the message's id
 * @param quantity 1 or more
 */
record Order(String id, int quantity) {
}
