/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.registry;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A service whose parked messages are in this ledger.
 *
 * @param application its name
 * @param handlerVersion the version that started last
 * @param startedAt when
 * @param problem why some or all of its policies are not used, or {@code null} if all are
 */
public record RegisteredService(String application, String handlerVersion, Instant startedAt,
		@Nullable String problem) {

}
