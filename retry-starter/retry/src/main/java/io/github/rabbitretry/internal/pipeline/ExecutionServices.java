/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.pipeline;

import io.github.rabbitretry.internal.deadletter.ParkingLotPublisher;
import io.github.rabbitretry.internal.failure.FailureLog;
import io.github.rabbitretry.internal.delivery.RetryHeaders;

/**
 * What decisions are carried out with.
 *
 * @param retryHeaders writes the headers of retried messages
 * @param parkingLot parks
 * @param rejections writes the events of business rejections
 * @param log says what is decided
 */
public record ExecutionServices(RetryHeaders retryHeaders, ParkingLotPublisher parkingLot, RejectionEvents rejections,
		FailureLog log) {
}
