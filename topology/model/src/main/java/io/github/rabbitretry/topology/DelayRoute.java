/*
 * Copyright 2026 the Rabbit Retry authors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

package io.github.rabbitretry.topology;

import java.time.Duration;

/**
 * The route by which a copy is delayed.
 *
 * @param exchange the exchange that it is published to
 * @param routingKey the routing key
 * @param delay how long it waits before it returns to the work queue
 */
public record DelayRoute(String exchange, String routingKey, Duration delay) {
}
