/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.scan;

/**
 * Says why a parking lot can't be looked at now.
 */
public final class ScanRefusedException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final boolean busy;

	private ScanRefusedException(String message, boolean busy) {
		super(message);
		this.busy = busy;
	}

	static ScanRefusedException busy(String parkingLot) {
		return new ScanRefusedException(
				"Parking lot '%s' is being looked at by another request. Try again.".formatted(parkingLot), true);
	}

	static ScanRefusedException unreachable(String parkingLot, Exception cause) {
		ScanRefusedException refused = new ScanRefusedException(
				("Parking lot '%s' can't be consumed now: the broker is away, the queue is missing or a stream, or the user"
						+ " has no right to read it. See the log.")
					.formatted(parkingLot),
				false);
		refused.initCause(cause);
		return refused;
	}

	static ScanRefusedException notRenewed(String parkingLot) {
		return new ScanRefusedException(
				("Parking lot '%s' can't be looked at now: before RabbitMQ 4.3 each look counts as a failed delivery, and its"
						+ " messages, which were looked at %s times, could not be parked anew. See the log, and try again.")
					.formatted(parkingLot, WindowRenewal.MOST_RETURNS),
				false);
	}

	static ScanRefusedException perhapsTwice(String parkingLot, int messages) {
		return new ScanRefusedException(
				("Parking lot '%s' can't be looked at now: the connection broke while up to %s of its messages were"
						+ " parked anew, which RabbitMQ before 4.3 needs after some looks. Some of them may be there twice now, with"
						+ " the same x-app-origin-message-id. Try again.")
					.formatted(parkingLot, messages),
				false);
	}

	/**
	 * Whether it is another request's turn.
	 * @return {@code false} if the queue can't be consumed at all
	 */
	public boolean busy() {
		return this.busy;
	}

}
