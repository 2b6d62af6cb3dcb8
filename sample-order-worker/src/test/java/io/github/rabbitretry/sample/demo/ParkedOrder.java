/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.demo;

/**
 * An order found in a parking lot.
 *
 * @param orderId its message id
 * @param reason why it is parked
 * @param retries after how many delayed attempts
 */
record ParkedOrder(String orderId, String reason, int retries) {
}
