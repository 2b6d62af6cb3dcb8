/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.sample.demo;

/**
 * What becomes of an order.
 */
sealed interface Fate {

	/**
	 * How many delayed attempts it takes.
	 * @return 0 if the first delivery decides
	 */
	int retries();

	/**
	 * It is handled.
	 *
	 * @param retries after how many delayed attempts
	 */
	record Handled(int retries) implements Fate {

		@Override
		public String toString() {
			return switch (this.retries) {
				case 0 -> "handled";
				case 1 -> "handled after 1 retry";
				default -> "handled after %d retries".formatted(this.retries);
			};
		}

	}

	/**
	 * Somebody decided that it is not worth repairing.
	 *
	 * @param reason why it was parked
	 */
	record Discarded(String reason) implements Fate {

		@Override
		public int retries() {
			return 0;
		}

		@Override
		public String toString() {
			return "discarded " + this.reason;
		}

	}

	/**
	 * It waits in the parking lot for an operator.
	 *
	 * @param reason why
	 * @param retries after how many delayed attempts
	 */
	record Parked(String reason, int retries) implements Fate {

		@Override
		public String toString() {
			return "parked " + this.reason;
		}

	}

}
