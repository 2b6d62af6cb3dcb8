/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.internal.parking.autoconfigure;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Parking lots without a ledger.
 *
 * @param window Number of the oldest messages of a parking lot that are examined if there
 * is no ledger; at most 2000.
 */
@ConfigurationProperties(prefix = "rabbit-retry.scan", ignoreUnknownFields = false)
record ScanProperties(@DefaultValue("1000") int window) {
}
