/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.payment;

/**
 * Asks for an order's payment to be captured.
 *
 * @param orderId identifies the order
 * @param card the card's token
 * @param cents how much
 */
record CapturePaymentCommand(String orderId, String card, long cents) {
}
