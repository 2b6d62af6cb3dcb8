/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.outside;

/**
 * An order in the worker's ledger.
 *
 * @param orderId its message id
 * @param reason why it was parked
 * @param retries after how many delayed attempts
 * @param state what has become of it since: {@code PARKED}, {@code REPLAYED} or
 * {@code DISCARDED}
 */
public record ParkedOrder(String orderId, String reason, int retries, String state) {

	@Override
	public String toString() {
		return "%s %s after %d retries".formatted(this.state, this.reason, this.retries);
	}

}
