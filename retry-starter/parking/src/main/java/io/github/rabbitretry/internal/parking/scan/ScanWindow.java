/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.scan;

/**
 * How much of a parking lot was looked at, from its oldest message on.
 *
 * @param queue the work queue
 * @param parkingLot the parking lot
 * @param examined how many messages were looked at
 * @param parked how many were ready in the queue when the scan began, or those examined
 * if more came meanwhile
 * @param complete whether these are all of them
 * @param othersHold whether another consumer has messages of this queue, so that there
 * may be more than these: another instance's scan or a ledger
 */
public record ScanWindow(String queue, String parkingLot, long examined, long parked, boolean complete,
		boolean othersHold) {
}
