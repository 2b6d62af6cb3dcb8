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
 * @param window How many messages of a parking lot are looked at, the oldest first, where
 * there is no ledger.
 */
@ConfigurationProperties(prefix = "rabbit-retry.scan", ignoreUnknownFields = false)
record ScanProperties(@DefaultValue("1000") int window) {
}
