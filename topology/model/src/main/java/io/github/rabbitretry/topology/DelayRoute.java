/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.topology;

import java.time.Duration;

/**
 * The way that a copy takes to wait.
 *
 * @param exchange where it is published to
 * @param routingKey with which key
 * @param delay how long it waits on that way before it is back in the work queue
 */
public record DelayRoute(String exchange, String routingKey, Duration delay) {
}
